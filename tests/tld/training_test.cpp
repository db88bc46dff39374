// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/training.h"

#include <gtest/gtest.h>

#include <vector>

namespace cltrack {
namespace {

class TrainingTest : public testing::Test {
 protected:
  TldConfig config_;
  ScanGrid grid_{40, 30, 160, 120, config_};
};

TEST_F(TrainingTest, PositiveWindowsAreTheClosest) {
  const BoundingBox box{50, 40, 41, 31};
  const auto all = grid_.overlapping(box, config_.positive_overlap);
  ASSERT_GT(all.size(), 10u);
  const auto windows = positive_windows(grid_, box, 10, config_);
  ASSERT_EQ(windows.size(), 10u);
  for (std::size_t i = 0; i < windows.size(); ++i) EXPECT_EQ(windows[i], all[i].window);
}

TEST_F(TrainingTest, WithoutCloseWindowsTheBestOneRemains) {
  const BoundingBox tiny{50, 40, 8, 6};
  EXPECT_EQ(positive_windows(grid_, tiny, 10, config_).size(), 1u);
  EXPECT_TRUE(positive_windows(grid_, {500, 500, 40, 30}, 10, config_).empty());
}

TEST_F(TrainingTest, TheFirstWarpIsThePictureItself) {
  const std::vector<std::uint32_t> windows = {0, 7, 100};
  const WarpConfig config{.warps = 4};
  Random random(3);
  const std::vector<FixedWarp> warps = random_warps(grid_, windows, config, random);
  ASSERT_EQ(warps.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(warps[i].plain, i == 0) << i;
  EXPECT_NE(warps[1].seed, warps[2].seed);
  EXPECT_EQ(warps[1].center_x, warps[2].center_x) << "that of all windows together";
}

}  // namespace
}  // namespace cltrack
