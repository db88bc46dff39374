// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/scan_grid.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/random.h"

namespace cltrack {
namespace {

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
