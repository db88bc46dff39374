// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/median_flow.h"

#include <gtest/gtest.h>

#include <vector>

namespace cltrack {
namespace {

using namespace median_flow_parts;

TEST(MedianFlowParts, GridFillsTheBoxInsideTheMargin) {
  const std::vector<Point> points = median_flow_points({10, 20, 51, 31}, {});
  ASSERT_EQ(points.size(), 100u);
  EXPECT_FLOAT_EQ(points.front().x, 15);
  EXPECT_FLOAT_EQ(points.front().y, 25);
  EXPECT_FLOAT_EQ(points.back().x, 55);
  EXPECT_FLOAT_EQ(points.back().y, 45);
  EXPECT_FLOAT_EQ(points[1].y, points[0].y) << "row by row";
}

TEST(MedianFlowParts, GridOfATinyBoxStaysInIt) {
  for (const Point& point : median_flow_points({10, 20, 8, 8}, {})) {
    EXPECT_GE(point.x, 10);
    EXPECT_LE(point.x, 17);
    EXPECT_GE(point.y, 20);
    EXPECT_LE(point.y, 27);
  }
}

TEST(MedianFlowParts, MedianIsTheLowerMiddle) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({4, 1, 3, 2}), 2);
}

TEST(MedianFlowParts, MovedBoxHandComputed) {
  // Everything twice as far apart and moved by (5, -1) at the median, but for one outlier.
  const std::vector<Point> from = {{10, 10}, {20, 10}, {10, 20}, {20, 20}, {15, 15}};
  std::vector<Point> to;
  for (const Point& p : from) to.push_back({15 + 2 * (p.x - 15) + 5, 15 + 2 * (p.y - 15) - 1});
  to[4] = {20, 14};
  const BoundingBox moved = moved_box({10, 10, 10, 10}, from, to);
  EXPECT_FLOAT_EQ(moved.width, 20);
  EXPECT_FLOAT_EQ(moved.height, 20);
  EXPECT_FLOAT_EQ(moved.center_x(), 20);
  EXPECT_FLOAT_EQ(moved.center_y(), 14);
}

}  // namespace
}  // namespace cltrack
