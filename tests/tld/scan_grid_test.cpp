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

TEST(ScanGrid, KeepsToTheMostWindows) {
  struct Case {
    float width, height;
    int frame_width, frame_height;
  };
  for (const Case& c : {Case{8, 8, 3840, 2160},
                        {8, 8, 1280, 720},
                        {24, 60, 1920, 1080},
                        {100, 100, 1920, 1080},
                        {400, 20, 3840, 2160}}) {
    const TldConfig config;
    const ScanGrid grid(c.width, c.height, c.frame_width, c.frame_height, config);
    SCOPED_TRACE(testing::Message() << c.width << "x" << c.height << " in " << c.frame_width);
    EXPECT_TRUE(grid.is_coarse());
    EXPECT_LE(grid.size(), static_cast<std::uint32_t>(config.max_windows));
    EXPECT_GT(grid.size(), static_cast<std::uint32_t>(config.max_windows) * 9 / 10);
    std::uint32_t first = 0;
    for (const ScanScale& scale : grid.scales()) {
      EXPECT_EQ(scale.first, first);
      first += scale.size();
    }
    EXPECT_EQ(first, grid.size());
  }
}

TEST(ScanGrid, AGridThatIsSmallEnoughStaysAsItIs) {
  TldConfig config;
  const ScanGrid usual(31, 47, 211, 143, config);
  config.max_windows = static_cast<int>(usual.size());
  const ScanGrid same(31, 47, 211, 143, config);
  EXPECT_FALSE(same.is_coarse());
  ASSERT_EQ(same.scales().size(), usual.scales().size());
  for (std::size_t i = 0; i < same.scales().size(); ++i) {
    EXPECT_EQ(same.scales()[i].xs, usual.scales()[i].xs);
    EXPECT_EQ(same.scales()[i].ys, usual.scales()[i].ys);
  }
  --config.max_windows;
  EXPECT_TRUE(ScanGrid(31, 47, 211, 143, config).is_coarse());
}

TEST(ScanGrid, SizesWithMostWindowsAreCoarseFirst) {
  TldConfig config;
  const ScanGrid usual(40, 40, 640, 480, config);
  config.max_windows = static_cast<int>(usual.size() * 3 / 4);
  const ScanGrid coarse(40, 40, 640, 480, config);
  EXPECT_GT(coarse.scales().front().shift, config.shift);
  EXPECT_EQ(coarse.scales().back().xs, usual.scales().back().xs);
  std::uint32_t most = 0, most_of_coarse = 0;
  for (const ScanScale& scale : coarse.scales()) {
    most = std::max(most, scale.size());
    if (scale.shift > config.shift) most_of_coarse = std::max(most_of_coarse, scale.size());
  }
  EXPECT_LT(most, most_of_coarse * 13 / 10) << "those that are left alone have hardly more";
}

// Wherever a target is, a window of its size overlaps it by half, if that many are allowed.
TEST(ScanGrid, CoarseStepsLeaveNoPlaceOut) {
  TldConfig config;
  config.max_windows = 25000;
  const ScanGrid grid(40, 40, 640, 480, config);
  ASSERT_GT(grid.scales().front().shift, 0.3f);
  Random random(5);
  for (const ScanScale& scale : grid.scales()) {
    for (int round = 0; round < 20; ++round) {
      const auto side = static_cast<float>(scale.width);
      const BoundingBox box{random.uniform(0, static_cast<float>(scale.xs.back())),
                            random.uniform(0, static_cast<float>(scale.ys.back())), side, side};
      float best = 0;
      for (const WindowOverlap& window : grid.overlapping(box, 0.1f)) {
        if (grid.window(window.window).width == scale.width) best = std::max(best, window.overlap);
      }
      EXPECT_GT(best, 0.5f) << box.x << ", " << box.y << " of " << side;
    }
  }
}

// Fewer than it takes for that: no size is given up for another.
TEST(ScanGrid, BeyondAThirdAllStepsGrowAlike) {
  const ScanGrid grid(8, 8, 3840, 2160, {});
  float least = 100, most = 0;
  for (const ScanScale& scale : grid.scales()) {
    least = std::min(least, scale.shift);
    most = std::max(most, scale.shift);
  }
  EXPECT_GT(least, 1 / 3.0f);
  EXPECT_LT(most, 1.2f * least);
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
