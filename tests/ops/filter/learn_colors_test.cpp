// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/filter_colors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/color_bins.h"

namespace cltrack {
namespace {

using Body = void (*)(std::span<const std::uint16_t>, int, const ColorLearnJob&, std::span<float>,
                      std::span<std::uint16_t>);

struct Colors {
  std::vector<float> shares = std::vector<float>(2 * kColorBins, std::nanf(""));
  std::vector<std::uint16_t> likelihoods = std::vector<std::uint16_t>(kColorBins, 7);

  float target(std::size_t bin) const { return shares[bin]; }
  float background(std::size_t bin) const { return shares[kColorBins + bin]; }
  friend bool operator==(const Colors&, const Colors&) = default;
};

// Inner rectangle, outer rectangle: left, top, right, bottom.
ColorLearnJob job_of(float rate, std::array<int, 4> inner, std::array<int, 4> outer) {
  return {0,        0,        inner[0], inner[1], inner[2], inner[3],
          outer[0], outer[1], outer[2], outer[3], rate};
}

class LearnColors : public testing::TestWithParam<Body> {
 protected:
  static void learn(const std::vector<std::uint16_t>& bins, const ColorLearnJob& job,
                    Colors& colors) {
    const auto side = static_cast<int>(std::lround(std::sqrt(bins.size())));
    GetParam()(bins, side, job, colors.shares, colors.likelihoods);
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, LearnColors,
                         testing::Values(Body{reference::learn_colors}, Body{vector::learn_colors}),
                         [](const auto& body) { return body.index == 0 ? "reference" : "vector"; });

// The inner rectangle is the 4 samples of the middle, the ring around it belongs to neither.
const std::vector<std::uint16_t> kWindow = {1, 1, 1, 1, 1, 2,  //
                                            1, 9, 9, 9, 9, 2,  //
                                            1, 9, 5, 2, 9, 2,  //
                                            1, 9, 5, 5, 9, 2,  //
                                            1, 9, 9, 9, 9, 2,  //
                                            3, 3, 3, 3, 3, 3};
const ColorLearnJob kFirst = job_of(1, {2, 2, 4, 4}, {1, 1, 5, 5});

TEST_P(LearnColors, CountsSharesOfTargetAndBackground) {
  Colors colors;
  learn(kWindow, kFirst, colors);
  EXPECT_EQ(colors.target(5), 0.75f);
  EXPECT_EQ(colors.target(2), 0.25f);
  EXPECT_FLOAT_EQ(colors.background(1), 9 / 20.0f);
  EXPECT_FLOAT_EQ(colors.background(2), 5 / 20.0f);
  EXPECT_FLOAT_EQ(colors.background(3), 6 / 20.0f);
  for (const std::size_t bin : {0, 9, 1, 3, kColorBins - 1}) EXPECT_EQ(colors.target(bin), 0);
  for (const std::size_t bin : {0, 9, 5, kColorBins - 1}) EXPECT_EQ(colors.background(bin), 0);
  EXPECT_EQ(colors.likelihoods[5], 65535);
  EXPECT_EQ(colors.likelihoods[2], 32768);
  for (const std::size_t bin : {0, 9, 1, 3, kColorBins - 1}) EXPECT_EQ(colors.likelihoods[bin], 0);
}

TEST_P(LearnColors, FollowsWindowsAtARate) {
  Colors colors;
  learn(kWindow, kFirst, colors);
  std::vector<std::uint16_t> next(36, 3);
  next[14] = next[15] = next[20] = next[21] = 2;
  learn(next, job_of(0.25f, {2, 2, 4, 4}, {1, 1, 5, 5}), colors);
  EXPECT_EQ(colors.target(5), 0.5625f);
  EXPECT_EQ(colors.target(2), 0.4375f);
  EXPECT_FLOAT_EQ(colors.background(2), 0.1875f);
  EXPECT_FLOAT_EQ(colors.background(3), 0.225f + 0.25f);
  EXPECT_EQ(colors.likelihoods[2], 45875);  // 0.7 * 65535 = 45874.5
  const Colors before = colors;
  learn(kWindow, job_of(0, {2, 2, 4, 4}, {1, 1, 5, 5}), colors);
  EXPECT_TRUE(colors == before);
}

TEST_P(LearnColors, ARateOfOneForgetsAll) {
  Colors of_nothing, of_others;
  std::ranges::fill(of_others.shares, INFINITY);
  learn(kWindow, kFirst, of_nothing);
  learn(kWindow, kFirst, of_others);
  EXPECT_TRUE(of_nothing == of_others);
}

TEST_P(LearnColors, RegionsWithoutSamplesHaveNoShares) {
  Colors colors;
  learn(kWindow, job_of(1, {3, 3, 3, 5}, {0, 0, 6, 6}), colors);
  EXPECT_TRUE(std::ranges::all_of(colors.shares, [](float share) { return share == 0; }));
  EXPECT_TRUE(std::ranges::all_of(colors.likelihoods, [](int value) { return value == 0; }));
  // Also those whose edges are the wrong way round.
  learn(kWindow, job_of(1, {4, 0, 2, 6}, {5, 5, 1, 1}), colors);
  EXPECT_EQ(colors.target(5), 0);
  EXPECT_FLOAT_EQ(colors.background(5), 3 / 36.0f);
}

TEST_P(LearnColors, CutsRectanglesOffAtTheWindow) {
  Colors colors, expected;
  learn(kWindow, job_of(1, {4, -5, 90, 2}, {-3, 3, 4, 100}), colors);
  learn(kWindow, job_of(1, {4, 0, 6, 2}, {0, 3, 4, 6}), expected);
  EXPECT_TRUE(colors == expected);
  EXPECT_EQ(colors.target(2), 0.5f);
  EXPECT_FLOAT_EQ(colors.background(9), 8 / 24.0f);
}

// Before numbers get so small that processors differ.
TEST_P(LearnColors, SmallSharesVanish) {
  Colors colors;
  std::ranges::fill(colors.shares, 0);
  colors.shares[4] = 3e-20f;
  const ColorLearnJob half = job_of(0.5f, {2, 2, 4, 4}, {1, 1, 5, 5});
  learn(kWindow, half, colors);
  EXPECT_FLOAT_EQ(colors.target(4), 1.5e-20f);
  EXPECT_EQ(colors.likelihoods[4], 65535);
  learn(kWindow, half, colors);
  EXPECT_EQ(colors.target(4), 0);
  EXPECT_EQ(colors.likelihoods[4], 0);
}

TEST_P(LearnColors, CountsTheLargestWindow) {
  Colors colors;
  learn(std::vector<std::uint16_t>(65536, kColorBins - 1),
        job_of(1, {0, 0, 256, 256}, {0, 0, 0, 0}), colors);
  EXPECT_EQ(colors.target(kColorBins - 1), 1);
  EXPECT_EQ(colors.background(kColorBins - 1), 1);
  EXPECT_EQ(colors.likelihoods[kColorBins - 1], 32768);
}

TEST(LearnColorsBodies, AreEqual) {
  for (const int side : {1, 5, 33, 128}) {
    for (const std::uint32_t colors : {1u, 30u, 32768u}) {
      Colors expected, got;
      std::uint64_t seed = 0;
      for (const float rate : {1.0f, 0.04f, 0.9f, 1e-9f}) {
        const auto bins = test::random_bins(static_cast<std::size_t>(side * side), colors, ++seed);
        const ColorLearnJob job = job_of(rate, {side / 3, side / 4, side * 2 / 3, side * 3 / 4},
                                         {side / 5, 1, side - 2, side});
        reference::learn_colors(bins, side, job, expected.shares, expected.likelihoods);
        vector::learn_colors(bins, side, job, got.shares, got.likelihoods);
        EXPECT_TRUE(got == expected) << side << " " << colors << " " << rate;
      }
    }
  }
}

}  // namespace
}  // namespace cltrack
