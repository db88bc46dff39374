// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/test_image.h"

namespace cltrack {
namespace {

class LearnerTest : public testing::Test {
 protected:
  LearnerTest()
      : image_(test::noise_image(160, 120, 6)),
        random_(3),
        ferns_(config_, random_),
        detector_(ScanGrid(40, 30, 160, 120, config_), ferns_, config_) {
    planes_.luma = image_.view();
    blur(planes_.luma, planes_.blurred, planes_.scratch);
    integrate(planes_.luma, planes_.integrals);
  }

  std::vector<std::uint16_t> codes_of(std::uint32_t window) const {
    std::vector<std::uint16_t> codes(10);
    const ScanGrid& grid = detector_.grid();
    const Window w = grid.window(window);
    fern_codes(planes_.blurred.view(), w.x, w.y, detector_.pairs(grid.scale_of(window)), 10,
               codes.data());
    return codes;
  }

  TldConfig config_;
  test::PaddedImage image_;
  FramePlanes planes_;
  Random random_;
  FernEnsemble ferns_;
  Detector detector_;
};

TEST_F(LearnerTest, PositiveWindowsAreTheClosest) {
  const BoundingBox box{50, 40, 41, 31};
  const auto all = detector_.grid().overlapping(box, config_.positive_overlap);
  ASSERT_GT(all.size(), 10u);
  const auto windows = positive_windows(detector_.grid(), box, 10, config_);
  ASSERT_EQ(windows.size(), 10u);
  for (std::size_t i = 0; i < windows.size(); ++i) EXPECT_EQ(windows[i], all[i].window);
}

TEST_F(LearnerTest, WithoutCloseWindowsTheBestOneRemains) {
  const BoundingBox tiny{50, 40, 8, 6};
  EXPECT_EQ(positive_windows(detector_.grid(), tiny, 10, config_).size(), 1u);
  EXPECT_TRUE(positive_windows(detector_.grid(), {500, 500, 40, 30}, 10, config_).empty());
}

TEST_F(LearnerTest, TheFirstWarpIsThePictureItself) {
  const std::vector<std::uint32_t> windows = {0, 7, 100};
  FernSampleList samples(10);
  WarpConfig warps;
  warps.warps = 4;
  add_positives(detector_, 10, planes_, windows, warps, random_, samples);
  ASSERT_EQ(samples.size(), 12u);
  int different = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(samples.positive()[i], 1);
    const std::vector<std::uint16_t> expected = codes_of(windows[i % 3]);
    const bool same = std::equal(expected.begin(), expected.end(), samples.codes_of(i));
    if (i < 3) {
      EXPECT_TRUE(same);
    }
    different += !same;
  }
  EXPECT_EQ(different, 9) << "the others are turned, moved and noisy";
}

TEST_F(LearnerTest, NegativesAreTheWindowsAsTheyAre) {
  const std::vector<std::uint32_t> windows = {3, 5, 8, 13};
  FernSampleList samples(10);
  add_negatives(detector_, 10, planes_, windows, samples);
  ASSERT_EQ(samples.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(samples.positive()[i], 0);
    const std::vector<std::uint16_t> expected = codes_of(windows[i]);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), samples.codes_of(i)));
  }
}

TEST(FernSampleList, ShuffleKeepsCodesAndLabelsTogether) {
  FernSampleList samples(2);
  for (std::uint16_t i = 0; i < 40; ++i) {
    std::uint16_t* codes = samples.add(i % 3 == 0);
    codes[0] = i;
    codes[1] = static_cast<std::uint16_t>(1000 + i);
  }
  Random random(5);
  samples.shuffle(random);
  std::array<bool, 40> seen = {};
  bool moved = false;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::uint16_t first = samples.codes_of(i)[0];
    EXPECT_EQ(samples.codes_of(i)[1], 1000 + first);
    EXPECT_EQ(samples.positive()[i], first % 3 == 0);
    seen[first] = true;
    moved = moved || first != i;
  }
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](bool s) { return s; }));
  EXPECT_TRUE(moved);
}

}  // namespace
}  // namespace cltrack
