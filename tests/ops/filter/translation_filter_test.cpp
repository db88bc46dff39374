// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/translation_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.h"
#include "support/check_op.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using test::Output;
using test::part_of;
using Floats = std::vector<float>;

Floats random_features(std::uint64_t seed, std::size_t windows = 1) {
  Random random(seed);
  Floats features(windows * kFilterFeatures);
  for (float& value : features) value = static_cast<float>(random.below(4001)) * 1e-4f - 0.1f;
  return features;
}

// What the features become when the picture moves by (dx, dy) cells; what comes in at the border is
// what left it at the other one.
Floats moved(const Floats& features, int dx, int dy) {
  Floats result(features.size());
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto cell = static_cast<int>(i % kFilterPlane);
    const int x = (cell / kFilterCells - dx + kFilterCells) % kFilterCells;
    const int y = (cell % kFilterCells - dy + kFilterCells) % kFilterCells;
    result[i] =
        features[i / kFilterPlane * kFilterPlane + static_cast<std::size_t>(x * kFilterCells + y)];
  }
  return result;
}

float largest_difference(const Floats& a, const Floats& b) {
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

class Filter : public testing::Test {
 protected:
  Floats spectrum_of(const Floats& features) {
    Floats spectrum(kFilterSpectrum);
    vector::filter_spectrum(tables_, features, spectrum);
    return spectrum;
  }
  Floats response_of(const Floats& features, const Floats& filter) {
    Floats response(kFilterPlane);
    vector::filter_respond(tables_, spectrum_of(features), filter, response);
    return response;
  }
  FilterTables tables_;
  Floats work_ = Floats(kFilterSpectrum, std::numeric_limits<float>::quiet_NaN());
};

TEST_F(Filter, SpectrumIsTheTransform) {
  const Floats features = random_features(1);
  Floats expected(kFilterSpectrum);
  reference::filter_spectrum(features, expected);
  EXPECT_LT(largest_difference(spectrum_of(features), expected), 2e-4f);
}

TEST_F(Filter, SpectrumOfOneCellTurnsEvenly) {
  Floats features(kFilterFeatures);
  features[20 * kFilterPlane + 5 * kFilterCells + 9] = 1;
  const double weight = kFilterGain * filter_weight(5) * filter_weight(9);
  const Floats spectrum = spectrum_of(features);
  for (std::size_t bin = 0; bin < kFilterBins; ++bin) {
    const double angle =
        -2 * std::numbers::pi * static_cast<double>(5 * (bin % 32) + 9 * (bin / 32)) / 32;
    EXPECT_NEAR(spectrum[20 * 2 * kFilterBins + bin], weight * std::cos(angle), 1e-5);
    EXPECT_NEAR(spectrum[41 * kFilterBins + bin], weight * std::sin(angle), 1e-5);
    EXPECT_NEAR(spectrum[4 * 2 * kFilterBins + bin], 0, 1e-6);
  }
}

TEST_F(Filter, LearnsAndRespondsAsTheReference) {
  Floats filter(kFilterSpectrum, std::numeric_limits<float>::quiet_NaN());
  Floats expected = filter;
  for (const float temporal : {0.0f, 15.0f}) {
    const Floats spectrum = spectrum_of(random_features(2 + static_cast<unsigned>(temporal)));
    const FilterJob job = filter_job(0, 0, 30, 50, temporal);
    vector::filter_learn(tables_, job, spectrum, work_, filter);
    reference::filter_learn(job, spectrum, expected);
    const float size = std::abs(*std::ranges::max_element(expected));
    EXPECT_LT(largest_difference(filter, expected), 1e-4f * size);
    Floats response(kFilterPlane), response_expected(kFilterPlane);
    vector::filter_respond(tables_, spectrum, filter, response);
    reference::filter_respond(spectrum, filter, response_expected);
    EXPECT_LT(largest_difference(response, response_expected), 1e-4f);
  }
}

// The peak goes where the picture went.
TEST_F(Filter, RespondsWhereTheTargetIs) {
  const Floats features = random_features(5);
  Floats filter(kFilterSpectrum);
  vector::filter_learn(tables_, filter_job(0, 0, 40, 40, 0), spectrum_of(features), work_, filter);
  for (const auto& [dx, dy] : {std::pair(0, 0), std::pair(3, 1), std::pair(-4, 2)}) {
    const Floats response = response_of(moved(features, dx, dy), filter);
    const auto peak = std::ranges::max_element(response) - response.begin();
    EXPECT_EQ(peak, (dx + 32) % 32 * 32 + (dy + 32) % 32);
    EXPECT_GT(*std::ranges::max_element(response), 0.3f);
  }
}

// What lies outside of the target counts less than without a mask.
TEST_F(Filter, LooksAtTheTarget) {
  const Floats features = random_features(6);
  Floats inside = features, outside = features;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto cell = static_cast<int>(i % kFilterPlane);
    const bool is_inside = std::abs(static_cast<float>(cell / 32) - 15.5f) < 3 &&
                           std::abs(static_cast<float>(cell % 32) - 15.5f) < 8;
    (is_inside ? outside : inside)[i] = 0;
  }
  const auto share_outside = [&](const FilterJob& job) {
    Floats filter(kFilterSpectrum);
    vector::filter_learn(tables_, job, spectrum_of(features), work_, filter);
    return response_of(outside, filter)[0] / response_of(inside, filter)[0];
  };
  FilterJob job = filter_job(0, 0, 20, 80, 0);
  EXPECT_FLOAT_EQ(job.half_width, 16 / 11.0f + 0.25f);  // 32 cells are 5.5 roots of the area
  EXPECT_FLOAT_EQ(job.half_height, 64 / 11.0f + 0.25f);
  EXPECT_NEAR(share_outside(job), 0, 1e-4f);
  job.half_width = job.half_height = 16;
  EXPECT_GT(std::abs(share_outside(job)), 0.01f);
}

TEST(FilterJobs, SmallSidesKeepTheMiddle) {
  const FilterJob job = filter_job(3, 4, 1, 2500, 15);
  EXPECT_EQ(job.half_width, 0.5f);
  EXPECT_GT(job.half_height, 16);
  EXPECT_EQ(job.window, 3);
  EXPECT_EQ(job.slot, 4);
}

// Fewer jobs than threads: parts of them.
TEST(FilterOnHost, LearnsTheSameWithAnyNumberOfThreads) {
  const FilterTables tables;
  const std::vector<FilterJob> jobs = {filter_job(1, 2, 40, 30, 0), filter_job(0, 0, 7, 90, 15)};
  Array<float> spectra, features{std::span<const float>(random_features(2, 2))};
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

// On devices the same bits as on the host.
class FilterOnDevice : public test::DeviceTest {
 protected:
  static constexpr std::size_t kWindows = 3, kSlots = 4;

  FilterOnDevice() : features_(random_features(kWindows, kWindows)) {
    for (std::size_t i = 0; i < kWindows; ++i) {
      vector::filter_spectrum(tables_, part_of(features_, i, kFilterFeatures),
                              part_of(spectra_, i, kFilterSpectrum));
    }
    Random random(9);
    for (float& value : filters_) value = static_cast<float>(random.below(2001)) * 1e-6f - 0.001f;
  }

  FilterTables tables_;
  Floats features_;
  Floats spectra_ = Floats(kWindows * kFilterSpectrum);
  Floats filters_ = Floats(kSlots * kFilterSpectrum);
};

TEST_P(FilterOnDevice, Spectra) {
  const auto op = [&](auto& spectra) {
    filter_spectra(*queue_, tables_, Array<float>(features_), spectra);
  };
  test::check_op(*queue_, 1, op, Output{spectra_});
  Array<float> none(7);
  filter_spectra(*queue_, tables_, Array<float>(), none);
  EXPECT_EQ(none.size(), 0u);
}

TEST_P(FilterOnDevice, Learn) {
  // A first frame, an odd aspect, and filter 2 left alone.
  const std::vector<FilterJob> jobs = {filter_job(1, 3, 40, 30, 0), filter_job(2, 0, 7, 900, 15),
                                       filter_job(0, 1, 20, 20, 15)};
  Floats expected = filters_;
  for (const FilterJob& job : jobs) {
    Floats work(kFilterSpectrum);
    vector::filter_learn(tables_, job, part_of(spectra_, job.window, kFilterSpectrum), work,
                         part_of(expected, job.slot, kFilterSpectrum));
  }
  FilterScratch scratch;
  const auto learn = [&](const std::vector<FilterJob>& those) {
    return [&](auto& filters) {
      filter_learn(*queue_, tables_, Array<float>(spectra_), Array<FilterJob>(those), scratch,
                   filters);
    };
  };
  test::check_op(*queue_, 4, learn(jobs), Output{expected, filters_});
  test::check_op(*queue_, 0, learn({}), Output{filters_, filters_});
}

TEST_P(FilterOnDevice, Respond) {
  const std::vector<FilterJob> jobs = {filter_job(2, 3, 9, 9, 0), filter_job(0, 3, 9, 9, 0),
                                       filter_job(1, 0, 9, 9, 0)};
  Floats expected(jobs.size() * kFilterPlane);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    vector::filter_respond(tables_, part_of(spectra_, jobs[i].window, kFilterSpectrum),
                           part_of(filters_, jobs[i].slot, kFilterSpectrum),
                           part_of(expected, i, kFilterPlane));
  }
  const auto op = [&](auto& responses) {
    filter_respond(*queue_, tables_, Array<float>(spectra_), Array<FilterJob>(jobs),
                   Array<float>(filters_), responses);
  };
  test::check_op(*queue_, 1, op, Output{expected});
}

TEST_P(FilterOnDevice, RejectsWhatDoesNotExist) {
  Array<float> spectra(kFilterSpectrum), filters(2 * kFilterSpectrum), responses;
  FilterScratch scratch;
  for (const FilterJob& job : {filter_job(1, 0, 9, 9, 0), filter_job(0, 2, 9, 9, 0),
                               filter_job(-1, 0, 9, 9, 0), filter_job(0, -1, 9, 9, 0)}) {
    const Array<FilterJob> jobs(std::span(&job, 1));
    const std::vector<std::string> parts = {"window " + std::to_string(job.window) + " of 1",
                                            "slot " + std::to_string(job.slot) + " of 2"};
    test::expect_rejected([&] { filter_learn(*queue_, tables_, spectra, jobs, scratch, filters); },
                          parts);
    test::expect_rejected(
        [&] { filter_respond(*queue_, tables_, spectra, jobs, filters, responses); }, parts);
  }
  test::expect_rejected([&] { filter_spectra(*queue_, tables_, Array<float>(5), spectra); },
                        {"5 features"});
}

CLTRACK_ON_EVERY_DEVICE(FilterOnDevice);

}  // namespace
}  // namespace cltrack
