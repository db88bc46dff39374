// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/scan_grid.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"

namespace cltrack {
namespace {

TEST(ScanGrid, HasTheSizesAndStepsOfTheConfig) {
  TldConfig config;
  config.scales_each_way = 1;
  config.min_window_ratio = 0.5f;
  const ScanGrid grid(40, 60, 100, 90, config);
  ASSERT_EQ(grid.scales().size(), 3u);
  EXPECT_EQ(grid.scales()[0].width, 33);
  EXPECT_EQ(grid.scales()[0].height, 50);
  EXPECT_EQ(grid.scales()[1].width, 40);
  EXPECT_EQ(grid.scales()[2].width, 48);
  EXPECT_EQ(grid.scales()[2].height, 72);
  EXPECT_EQ(grid.scales()[1].xs,
            (std::vector<int>{0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60}));
  EXPECT_EQ(grid.scales()[1].ys, (std::vector<int>{0, 4, 8, 12, 16, 20, 24, 28}));
  // A step of 3.3 is kept as such; only positions are rounded.
  EXPECT_EQ(grid.scales()[0].xs[1], 3);
  EXPECT_EQ(grid.scales()[0].xs[2], 7);
  EXPECT_EQ(grid.scales()[0].xs[10], 33);
}

TEST(ScanGrid, LeavesOutSmallWindows) {
  TldConfig config;
  EXPECT_EQ(ScanGrid(40, 60, 320, 240, config).scales().front().width, 28) << "0.7 * 40";
  EXPECT_EQ(ScanGrid(100, 100, 320, 240, config).scales().front().width, 28)
      << "never above min_window_high by more than a step";
  EXPECT_GE(ScanGrid(18, 40, 320, 240, config).scales().front().width, 15);
  EXPECT_EQ(ScanGrid(9, 40, 320, 240, config).scales().front().width, 9) << "its own size stays";
}

TEST(ScanGrid, ABoxAsLargeAsTheFrameHasOneWindow) {
  const ScanGrid grid(319.6f, 239.7f, 320, 240, {});
  const Window last = grid.window(grid.size() - 1);
  EXPECT_EQ(last.width, 320);
  EXPECT_EQ(last.height, 240);
  EXPECT_EQ(grid.scales().back().size(), 1u);
}

TEST(ScanGrid, IndexAndWindowAgree) {
  const ScanGrid grid(31, 47, 211, 143, {});
  std::uint32_t index = 0;
  for (const ScanScale& scale : grid.scales()) {
    ASSERT_EQ(scale.first, index);
    for (const int y : scale.ys) {
      for (const int x : scale.xs) {
        const Window window = grid.window(index);
        ASSERT_EQ(window.x, x);
        ASSERT_EQ(window.y, y);
        ASSERT_EQ(window.width, scale.width);
        ASSERT_LE(x + scale.width, 211);
        ASSERT_LE(y + scale.height, 143);
        ASSERT_EQ(&grid.scales()[grid.scale_of(index)], &scale);
        ++index;
      }
    }
  }
  EXPECT_EQ(index, grid.size());
}

TEST(ScanGrid, OverlappingEqualsBruteForce) {
  const ScanGrid grid(31, 47, 211, 143, {});
  Random random(2);
  for (int round = 0; round < 40; ++round) {
    const BoundingBox box{random.uniform(-30, 200), random.uniform(-30, 130),
                          random.uniform(10, 90), random.uniform(10, 90)};
    for (const float minimum : {0.0f, 0.3f, 0.6f}) {
      std::vector<std::pair<float, std::uint32_t>> expected;
      for (std::uint32_t i = 0; i < grid.size(); ++i) {
        const float common = overlap(box, grid.window(i).box());
        if (common > minimum) expected.emplace_back(-common, i);
      }
      std::sort(expected.begin(), expected.end());
      const std::vector<WindowOverlap> found = grid.overlapping(box, minimum);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].overlap, -expected[i].first);
        ASSERT_EQ(found[i].window, expected[i].second);
      }
    }
  }
}

}  // namespace
}  // namespace cltrack
