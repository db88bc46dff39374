// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/scan_plan.h"

#include <gtest/gtest.h>

#include <string>

#include "core/random.h"

namespace cltrack {
namespace {

// 'w' for each frame on which the whole grid is scanned, '.' for the others. `sure`: '+' for each
// frame after which the target is.
std::string frames(ScanPlan plan, const std::string& sure) {
  std::string whole;
  for (const char now : sure) {
    plan.begin(true);
    whole += plan.is_whole() ? 'w' : '.';
    plan.end(now == '+');
  }
  return whole;
}

TldConfig every(int scan_interval) {
  TldConfig config;
  config.scan_interval = scan_interval;
  return config;
}

TEST(ScanPlan, ScansAllNowAndThenWhileSure) {
  EXPECT_EQ(frames({3, every(3)}, "++++++++++"), "w..w..w..w");
  EXPECT_EQ(frames({1, every(1)}, "++++"), "wwww");
}

TEST(ScanPlan, ScansAllWhileNotSure) {
  EXPECT_EQ(frames({4, every(4)}, "-----++++++++"), "wwwwww..w...w");
  EXPECT_EQ(frames({5, every(5)}, "++-++++"), "w..w.w.");
}

TEST(ScanPlan, TargetsTakeTheirTurnsOnDifferentFrames) {
  EXPECT_EQ(frames({10, every(5)}, "+++++++++++"), "w....w....w");
  EXPECT_EQ(frames({11, every(5)}, "+++++++++++"), "ww....w....");
  EXPECT_EQ(frames({13, every(5)}, "+++++++++++"), "w..w....w..");
}

TEST(ScanPlan, AFrameThatDoesNotFollowOnIsScannedWhole) {
  ScanPlan plan(2, every(4));
  plan.begin(true);
  plan.end(true);
  plan.begin(true);
  EXPECT_FALSE(plan.is_whole());
  plan.begin(false);  // the same frame once more
  EXPECT_TRUE(plan.is_whole());
}

TEST(ScanPlan, WhatWasPutOffComesAsSoonAsItCan) {
  ScanPlan plan(3, every(3));
  for (int i = 0; i < 3; ++i) {
    plan.begin(true);
    plan.end(true);
  }
  EXPECT_EQ(plan.waits(), 2u);
  for (std::uint64_t i = 3; i < 6; ++i) {
    plan.begin(true);
    EXPECT_TRUE(plan.is_whole());
    plan.put_off();
    plan.end(true);
    EXPECT_EQ(plan.waits(), i);
  }
}

TEST(ScanPlan, MedianFlowNeedsAllFrames) {
  TldConfig config = every(5);
  config.motion = kMedianFlow;
  EXPECT_EQ(frames({3, config}, "+++++"), "wwwww");
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
