// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "ops/filter/filter_colors.h"
#include "ops/filter/sample_windows.h"
#include "support/color_bins.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

constexpr std::size_t kSlots = 5;
constexpr std::size_t kShares = 2 * kColorBins;

// What the same calls leave on the host, by the reference.
struct Expected {
  std::vector<float> histograms = std::vector<float>(kSlots * kShares, std::nanf("7"));
  std::vector<std::uint16_t> likelihoods = std::vector<std::uint16_t>(kSlots * kColorBins, 99);

  void learn(std::span<const std::uint16_t> bins, int side, const ColorLearnJob& job) {
    const auto each = static_cast<std::size_t>(side * side);
    const auto slot = static_cast<std::size_t>(job.slot);
    reference::learn_colors(bins.subspan(static_cast<std::size_t>(job.window) * each, each), side,
                            job, std::span(histograms).subspan(slot * kShares, kShares),
                            std::span(likelihoods).subspan(slot * kColorBins, kColorBins));
  }
};

class LearnColorsOnDevice : public test::DeviceTest {
 protected:
  void expect_equals_reference(int side, std::uint32_t colors) {
    SCOPED_TRACE(std::to_string(side) + " " + std::to_string(colors));
    Expected expected;
    // Some of slot 1 are about to vanish.
    for (std::size_t i = 0; i < kShares; ++i) {
      expected.histograms[kShares + i] = 1e-20f * static_cast<float>(i % 7 % 4);
    }
    Array<float> histograms;
    Array<std::uint16_t> likelihoods;
    const test::Canary share_canary(histograms, expected.histograms.size(), *queue_);
    const test::Canary likelihood_canary(likelihoods, expected.likelihoods.size(), *queue_);
    histograms.assign(expected.histograms);
    likelihoods.assign(expected.likelihoods);
    const int third = side / 3;
    const ColorLearnJob inside = {
        0, 3, third, third, side - third, side - third, third / 2, third / 2, side - 1, side, 1};
    const ColorLearnJob beyond = {2,     0,  -4,       third,     side + 9, side,
                                  third, -1, side + 1, third + 1, 1};
    const ColorLearnJob empty = {1, 4, 5, 5, 5, 9, 0, 0, side, side, 1};
    ColorLearnJob faint = inside;
    faint.slot = 1;
    const std::vector<std::vector<ColorLearnJob>> calls = {
        {inside, beyond, empty}, {beyond, inside, faint}, {empty}, {}};
    float rate = 1;
    std::uint64_t seed = 0;
    for (std::vector<ColorLearnJob> jobs : calls) {
      for (ColorLearnJob& job : jobs) job.rate = rate;
      const auto bins =
          test::random_bins(static_cast<std::size_t>(3 * side * side), colors, ++seed);
      for (const ColorLearnJob& job : jobs) expected.learn(bins, side, job);
      const std::uint64_t launches = queue_->count().launches;
      learn_colors(*queue_, Array<std::uint16_t>(bins), side, Array<ColorLearnJob>(jobs),
                   histograms, likelihoods);
      EXPECT_EQ(queue_->count().launches - launches, queue_->is_host() || jobs.empty() ? 0u : 1u);
      rate = 0.07f;
    }
    EXPECT_TRUE(share_canary.is_intact());
    EXPECT_TRUE(likelihood_canary.is_intact());
    // By their bits: slots that no job named still hold what is no number.
    const auto bits = [](float share) { return std::bit_cast<std::uint32_t>(share); };
    EXPECT_TRUE(std::ranges::equal(histograms.host_read(), expected.histograms, {}, bits, bits));
    EXPECT_TRUE(std::ranges::equal(likelihoods.host_read(), expected.likelihoods));
  }

  ErrorCode code_of(int side, const ColorLearnJob& job) {
    Array<std::uint16_t> bins(std::size_t{2 * 64});
    Array<float> histograms(kSlots * kShares);
    Array<std::uint16_t> likelihoods(kSlots * kColorBins);
    const Array<ColorLearnJob> jobs(std::span(&job, 1));
    return test::error_of([&] { learn_colors(*queue_, bins, side, jobs, histograms, likelihoods); })
        .code();
  }
};

TEST_P(LearnColorsOnDevice, AnySizeAndColours) {
  for (const int side : {1, 5, 33}) {
    for (const std::uint32_t colors : {1u, 30u, 32768u}) expect_equals_reference(side, colors);
  }
  expect_equals_reference(128, 30);
}

TEST_P(LearnColorsOnDevice, Extremes) { expect_equals_reference(kMostSampleSide, 1); }

TEST_P(LearnColorsOnDevice, RejectsWhatIsNotThere) {
  const ColorLearnJob good = {1, 4, 0, 0, 4, 4, 0, 0, 8, 8, 1};
  const auto with = [&](auto member, auto value) {
    ColorLearnJob job = good;
    job.*member = value;
    return job;
  };
  for (const int side : {-1, 0, kMostSampleSide + 1}) {
    EXPECT_EQ(code_of(side, good), ErrorCode::invalid_argument);
  }
  for (const int window : {-1, 2}) {
    EXPECT_EQ(code_of(8, with(&ColorLearnJob::window, window)), ErrorCode::invalid_argument);
  }
  for (const int slot : {-1, static_cast<int>(kSlots)}) {
    EXPECT_EQ(code_of(8, with(&ColorLearnJob::slot, slot)), ErrorCode::invalid_argument);
  }
  for (const float rate : {-0.1f, 1.1f, std::nanf("")}) {
    EXPECT_EQ(code_of(8, with(&ColorLearnJob::rate, rate)), ErrorCode::invalid_argument);
  }
}

CLTRACK_ON_EVERY_DEVICE(LearnColorsOnDevice);

}  // namespace
}  // namespace cltrack
