// SPDX-License-Identifier: LGPL-2.1-or-later
// filter_spectra, filter_learn and filter_respond on devices: the same bits as on the host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/random.h"
#include "ops/filter/translation_filter.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

constexpr std::size_t kWindows = 3;
constexpr std::size_t kSlots = 4;

std::vector<float> random_features(std::size_t windows) {
  Random random(windows);
  std::vector<float> features(windows * kFilterFeatures);
  for (float& value : features) value = static_cast<float>(random.below(4001)) * 1e-4f - 0.1f;
  return features;
}

class FilterOnDevice : public test::DeviceTest {
 protected:
  FilterOnDevice() {
    const auto features = random_features(kWindows);
    spectra_.resize(kWindows * kFilterSpectrum);
    for (std::size_t i = 0; i < kWindows; ++i) {
      vector::filter_spectrum(tables_,
                              std::span(features).subspan(i * kFilterFeatures, kFilterFeatures),
                              std::span(spectra_).subspan(i * kFilterSpectrum, kFilterSpectrum));
    }
    filters_.resize(kSlots * kFilterSpectrum);
    Random random(9);
    for (float& value : filters_) value = static_cast<float>(random.below(2001)) * 1e-6f - 0.001f;
  }
  FilterTables tables_;
  std::vector<float> spectra_, filters_;
};

std::span<float> part(std::vector<float>& all, int index) {
  return std::span(all).subspan(static_cast<std::size_t>(index) * kFilterSpectrum, kFilterSpectrum);
}

TEST_P(FilterOnDevice, Spectra) {
  Array<float> spectra;
  const test::Canary canary(spectra, spectra_.size(), *queue_);
  filter_spectra(*queue_, tables_, Array<float>(random_features(kWindows)), spectra);
  EXPECT_TRUE(canary.is_intact());
  EXPECT_TRUE(std::ranges::equal(spectra.host_read(), spectra_));
  filter_spectra(*queue_, tables_, Array<float>(), spectra);
  EXPECT_EQ(spectra.size(), 0u);
}

TEST_P(FilterOnDevice, Learn) {
  // A first frame, an odd aspect, and filter 2 left alone.
  const std::vector<FilterJob> jobs = {filter_job(1, 3, 40, 30, 0), filter_job(2, 0, 7, 900, 15),
                                       filter_job(0, 1, 20, 20, 15)};
  std::vector<float> expected = filters_;
  for (const FilterJob& job : jobs) {
    std::vector<float> work(kFilterSpectrum);
    vector::filter_learn(tables_, job, part(spectra_, job.window), work, part(expected, job.slot));
  }
  Array<float> filters{std::span<const float>(filters_)};
  FilterScratch scratch;
  filter_learn(*queue_, tables_, Array<float>(spectra_), Array<FilterJob>(jobs), scratch, filters);
  EXPECT_TRUE(std::ranges::equal(filters.host_read(), expected));
  filter_learn(*queue_, tables_, Array<float>(spectra_), Array<FilterJob>(), scratch, filters);
  EXPECT_TRUE(std::ranges::equal(filters.host_read(), expected));
}

// Fewer jobs than threads: parts of them.
TEST(FilterOnHost, LearnsTheSameWithAnyNumberOfThreads) {
  const FilterTables tables;
  const std::vector<FilterJob> jobs = {filter_job(1, 2, 40, 30, 0), filter_job(0, 0, 7, 90, 15)};
  Array<float> spectra, features{std::span<const float>(random_features(2))};
  filter_spectra(*Device::host()->make_queue(1), tables, features, spectra);
  std::vector<float> before(3 * kFilterSpectrum);
  std::ranges::copy(spectra.host_read(), before.begin());
  std::vector<float> expected;
  for (const int threads : {1, 2, 3, 8}) {
    const auto queue = Device::host()->make_queue(threads);
    Array<float> own, filters{std::span<const float>(before)};
    filter_spectra(*queue, tables, features, own);
    EXPECT_TRUE(std::ranges::equal(own.host_read(), spectra.host_read())) << threads;
    FilterScratch scratch;
    filter_learn(*queue, tables, own, Array<FilterJob>(jobs), scratch, filters);
    const auto learnt = filters.host_read();
    if (expected.empty()) expected.assign(learnt.begin(), learnt.end());
    EXPECT_TRUE(std::ranges::equal(learnt, expected)) << threads;
  }
  EXPECT_NE(expected, before);
}

TEST_P(FilterOnDevice, Respond) {
  const std::vector<FilterJob> jobs = {filter_job(2, 3, 9, 9, 0), filter_job(0, 3, 9, 9, 0),
                                       filter_job(1, 0, 9, 9, 0)};
  std::vector<float> expected(jobs.size() * kFilterPlane);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    vector::filter_respond(tables_, part(spectra_, jobs[i].window), part(filters_, jobs[i].slot),
                           std::span(expected).subspan(i * kFilterPlane, kFilterPlane));
  }
  Array<float> responses;
  const test::Canary canary(responses, expected.size(), *queue_);
  filter_respond(*queue_, tables_, Array<float>(spectra_), Array<FilterJob>(jobs),
                 Array<float>(filters_), responses);
  EXPECT_TRUE(canary.is_intact());
  EXPECT_TRUE(std::ranges::equal(responses.host_read(), expected));
}

TEST_P(FilterOnDevice, RefusesWhatDoesNotExist) {
  Array<float> spectra(kFilterSpectrum), filters(2 * kFilterSpectrum), responses;
  FilterScratch scratch;
  for (const FilterJob& job : {filter_job(1, 0, 9, 9, 0), filter_job(0, 2, 9, 9, 0),
                               filter_job(-1, 0, 9, 9, 0), filter_job(0, -1, 9, 9, 0)}) {
    const Array<FilterJob> jobs(std::span(&job, 1));
    const Error learn =
        test::error_of([&] { filter_learn(*queue_, tables_, spectra, jobs, scratch, filters); });
    const Error respond = test::error_of(
        [&] { filter_respond(*queue_, tables_, spectra, jobs, filters, responses); });
    for (const Error& error : {learn, respond}) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_THAT(error.what(),
                  testing::HasSubstr("window " + std::to_string(job.window) + " of 1"));
      EXPECT_THAT(error.what(), testing::HasSubstr("filter " + std::to_string(job.slot) + " of 2"));
    }
  }
  const Error error =
      test::error_of([&] { filter_spectra(*queue_, tables_, Array<float>(5), spectra); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.what(), testing::HasSubstr("5 features"));
}

CLTRACK_ON_EVERY_DEVICE(FilterOnDevice);

}  // namespace
}  // namespace cltrack
