// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ops/filter/filter_colors.h"
#include "ops/filter/sample_windows.h"
#include "support/color_bins.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

constexpr std::size_t kSlots = 3;

class ColorResponseOnDevice : public test::DeviceTest {
 protected:
  // `lowest`: of the likelihoods.
  void expect_equals_reference(int side, std::uint32_t lowest,
                               const std::vector<ColorResponseJob>& jobs) {
    SCOPED_TRACE(std::to_string(side) + " " + std::to_string(jobs.size()));
    Random random(static_cast<std::uint64_t>(side));
    std::vector<std::uint16_t> likelihoods(kSlots * kColorBins);
    for (auto& value : likelihoods) {
      value = static_cast<std::uint16_t>(lowest + random.below(65536 - lowest));
    }
    const auto each = static_cast<std::size_t>(side * side);
    const auto bins = test::random_bins(2 * each, 32768, 8);
    std::vector<float> expected(jobs.size() * kColorResponses);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      reference::color_response(
          std::span(bins).subspan(static_cast<std::size_t>(jobs[i].window) * each, each), side,
          jobs[i],
          std::span(likelihoods)
              .subspan(static_cast<std::size_t>(jobs[i].slot) * kColorBins, kColorBins),
          std::span(expected).subspan(i * kColorResponses, kColorResponses));
    }
    Array<float> responses;
    const test::Canary canary(responses, expected.size(), *queue_);
    const std::uint64_t launches = queue_->count().launches;
    color_response(*queue_, Array<std::uint16_t>(bins), side, Array<ColorResponseJob>(jobs),
                   Array<std::uint16_t>(likelihoods), responses);
    EXPECT_EQ(queue_->count().launches - launches, queue_->is_host() || jobs.empty() ? 0u : 1u);
    EXPECT_TRUE(canary.is_intact());
    EXPECT_TRUE(std::ranges::equal(responses.host_read(), expected));
  }

  static std::vector<ColorResponseJob> some_jobs(int side) {
    return {color_response_job(1, 2, 7, 20, side), color_response_job(0, 0, 1, 1, side),
            color_response_job(0, 1, side, 3, side), color_response_job(1, 0, 2, side - 1, side)};
  }

  ErrorCode code_of(int side, const ColorResponseJob& job) {
    Array<std::uint16_t> bins(std::size_t{2 * 32 * 32});
    Array<std::uint16_t> likelihoods(kSlots * kColorBins);
    Array<float> responses;
    const Array<ColorResponseJob> jobs(std::span(&job, 1));
    return test::error_of(
               [&] { color_response(*queue_, bins, side, jobs, likelihoods, responses); })
        .code();
  }
};

TEST_P(ColorResponseOnDevice, AnySizeOfWindowsAndBoxes) {
  for (const int side : {32, 64, 96, 128, 224}) expect_equals_reference(side, 0, some_jobs(side));
}

TEST_P(ColorResponseOnDevice, Extremes) {
  expect_equals_reference(kMostSampleSide, 65535, {color_response_job(1, 1, 256, 256, 256)});
}

TEST_P(ColorResponseOnDevice, NoJobs) { expect_equals_reference(32, 0, {}); }

TEST_P(ColorResponseOnDevice, RejectsWhatIsNotThere) {
  const ColorResponseJob good = color_response_job(1, 2, 5, 5, 32);
  for (const int side : {-32, 0, 16, 33, 288}) {
    EXPECT_EQ(code_of(side, good), ErrorCode::invalid_argument);
  }
  for (const int window : {-1, 2}) {
    EXPECT_EQ(code_of(32, color_response_job(window, 0, 5, 5, 32)), ErrorCode::invalid_argument);
  }
  for (const int slot : {-1, 3}) {
    EXPECT_EQ(code_of(32, color_response_job(0, slot, 5, 5, 32)), ErrorCode::invalid_argument);
  }
}

CLTRACK_ON_EVERY_DEVICE(ColorResponseOnDevice);

}  // namespace
}  // namespace cltrack
