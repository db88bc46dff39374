// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/scan_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

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

// 'w' for each frame on which the whole grid is scanned, the turn of its rows for the others.
// `sure`: '+' for each frame after which the target is.
std::string frames(ScanPlan plan, int interval, const std::string& sure) {
  const ScanGrid grid(31, 47, 320, 240, {});
  std::string all;
  for (const char now : sure) {
    plan.begin(1, interval);
    const ScanRegion region = plan.region(BoundingBox{10, 10, 31, 47}, grid);
    EXPECT_EQ(plan.is_whole(), region.right == INT32_MAX);
    EXPECT_EQ(region.row_interval, plan.is_whole() ? 0 : interval);
    all += plan.is_whole() ? "w" : std::to_string(region.row_turn);
    plan.end(now == '+');
  }
  return all;
}

TEST(ScanPlan, ScansItsRowsInTurnWhileSure) {
  EXPECT_EQ(frames(ScanPlan(3), 3, "++++++++"), "w1201201");
  EXPECT_EQ(frames(ScanPlan(5), 5, "++++++++"), "w1234012");
  EXPECT_EQ(frames(ScanPlan(1), 1, "++++"), "wwww");
}

TEST(ScanPlan, ScansAllWhileNotSure) {
  EXPECT_EQ(frames(ScanPlan(4), 4, "-----++++++"), "wwwwww23012");
  EXPECT_EQ(frames(ScanPlan(5), 5, "++-++++"), "w12w401");
}

TEST(ScanPlan, TargetsThatStartTogetherScanDifferentRows) {
  EXPECT_EQ(frames(ScanPlan(11), 5, "+++++"), "w2340");
  EXPECT_EQ(frames(ScanPlan(13), 5, "+++++"), "w4012");
}

TEST(ScanPlan, AFrameThatDoesNotFollowOnIsScannedWhole) {
  ScanPlan plan(2);
  plan.begin(1, 4);
  plan.end(true);
  plan.begin(1, 4);
  EXPECT_FALSE(plan.is_whole());
  plan.begin(0, 4);  // the same frame once more
  EXPECT_TRUE(plan.is_whole());
}

TEST(ScanPlan, AFrameAfterALongTimeIsScannedWhole) {
  const ScanGrid grid(31, 47, 320, 240, {});
  const BoundingBox box{100, 90, 31, 47};
  ScanPlan plan(2);
  plan.begin(1, 4);
  plan.end(true);
  plan.begin(1, 4);
  const ScanRegion usual = plan.region(box, grid);
  plan.begin(3, 4);
  EXPECT_FALSE(plan.is_whole());
  const ScanRegion wide = plan.region(box, grid);
  EXPECT_EQ(wide.row_interval, 4);
  EXPECT_EQ(usual.left - wide.left, 16) << "half a side more";
  EXPECT_EQ(wide.bottom - usual.bottom, 23);
  plan.begin(8, 4);
  EXPECT_FALSE(plan.is_whole());
  plan.begin(9, 4);
  EXPECT_TRUE(plan.is_whole());
}

// The rows come in turn on the frames that have some, and those that wait for their whole grid go
// on waiting.
TEST(ScanPlan, WithLittleTimeOnlyTheRegionIsScanned) {
  const ScanGrid grid(31, 47, 320, 240, {});
  const BoundingBox box{100, 90, 31, 47};
  ScanPlan plan(3);
  plan.begin(1, 3);
  plan.end(true);
  std::string turns;
  for (const char part : std::string("rnrnnrsr")) {
    plan.begin(1, 3);
    if (part == 'n') plan.look_near();
    if (part == 's') plan.skip();
    const ScanRegion region = plan.region(box, grid);
    EXPECT_EQ(region.row_interval, part == 'r' ? 3 : 0) << part;
    if (part != 's') {
      EXPECT_EQ(region.left, 85) << part;
    }
    if (part == 'r') turns += std::to_string(region.row_turn);
    plan.end(true);
  }
  EXPECT_EQ(turns, "1201");

  plan.begin(0, 3);
  plan.look_near();
  EXPECT_FALSE(plan.is_whole());
  plan.end(false);
  EXPECT_EQ(plan.frames_deferred(), 1u);
  plan.begin(0, 3);
  plan.skip();
  plan.end(false);
  EXPECT_EQ(plan.frames_deferred(), 1u);
}

TEST(ScanPlan, WhatIsPutOffHasItsRows) {
  const ScanGrid grid(31, 47, 320, 240, {});
  const BoundingBox box{100, 90, 31, 47};
  ScanPlan plan(3);
  for (std::uint64_t i = 0; i < 4; ++i) {
    plan.begin(1, 3);
    EXPECT_TRUE(plan.is_whole());
    EXPECT_EQ(plan.frames_deferred(), i);
    plan.defer();
    EXPECT_FALSE(plan.is_whole());
    const ScanRegion near = plan.region(box, grid), rows = plan.region({}, grid);
    for (const ScanRegion& region : {near, rows}) {
      EXPECT_EQ(region.row_interval, 3);
      EXPECT_EQ(region.row_turn, static_cast<int>(i % 3));
    }
    EXPECT_EQ(near.left, region_near(box, grid).left);
    EXPECT_EQ(near.size_count, region_near(box, grid).size_count);
    EXPECT_EQ(rows.size_count, 0);
    plan.end(false);
  }
  plan.begin(1, 3);
  plan.end(false);
  EXPECT_EQ(plan.frames_deferred(), 0u) << "its turn has come";
}

TEST(RegionNear, HasTheWindowsThatOverlapABoxByHalf) {
  const ScanGrid grid(31, 47, 320, 240, {});
  Random random(2);
  int checked = 0;
  for (int round = 0; round < 40; ++round) {
    const float size = random.uniform(0.8f, 2.5f);
    const BoundingBox box{random.uniform(-10, 250), random.uniform(-10, 150), 31 * size, 47 * size};
    const ScanRegion region = region_near(box, grid);
    const auto has = [&](std::uint32_t index) {
      const Window window = grid.window(index);
      const auto scale = static_cast<int>(grid.scale_of(index));
      return window.x >= region.left && window.y >= region.top &&
             window.x + window.width <= region.right && window.y + window.height <= region.bottom &&
             scale >= region.first_size && scale < region.first_size + region.size_count;
    };
    // It may move by a little, and change its size.
    for (const float step : {-0.05f, 0.0f, 0.05f}) {
      const BoundingBox moved{box.x + step * box.width, box.y - step * box.height,
                              (1 + step / 2) * box.width, (1 + step / 2) * box.height};
      for (const WindowOverlap& window : grid.overlapping(moved, 0.5f)) {
        EXPECT_TRUE(has(window.window)) << window.overlap;
        ++checked;
      }
    }
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < grid.size(); ++i) count += has(i);
    EXPECT_LT(count, grid.size() / 15);
  }
  EXPECT_GT(checked, 1000);
}

TEST(RegionNear, IsEmptyWhereNoWindowIsLikeTheBox) {
  const ScanGrid grid(30, 30, 320, 240, {});
  EXPECT_EQ(region_near({10, 10, 5, 5}, grid).size_count, 0);
}

}  // namespace
}  // namespace cltrack
