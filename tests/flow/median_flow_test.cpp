// SPDX-License-Identifier: LGPL-2.1-or-later
#include "flow/median_flow.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/test_image.h"

namespace cltrack {
namespace {

using namespace median_flow_parts;
using test::PaddedImage;
using test::Texture;

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

struct Scene {
  Scene(float dx, float dy, float scale, std::uint64_t seed = 5) {
    const Texture texture(seed);
    PaddedImage image(240, 180);
    image.fill([&](int x, int y) {
      const float u = (static_cast<float>(x) - 120 - dx) / scale + 120;
      const float v = (static_cast<float>(y) - 90 - dy) / scale + 90;
      return std::lround(texture.at(u, v));
    });
    build_flow_pyramid(image.view(), 5, 15, pyramid_);
    pyramid = pyramid_.host_view();
  }
  FlowPyramidView pyramid;

 private:
  FlowPyramid pyramid_;
};

TEST(MedianFlow, FollowsMotionAndScale) {
  const Scene before(0, 0, 1);
  const Scene after(4.5f, -3.25f, 1.05f);
  const auto box = median_flow(before.pyramid, after.pyramid, {100, 70, 40, 40}, {});
  ASSERT_TRUE(box);
  EXPECT_NEAR(box->center_x(), 124.5, 0.3);
  EXPECT_NEAR(box->center_y(), 86.75, 0.3);
  EXPECT_NEAR(box->width, 42, 0.5);
  EXPECT_NEAR(box->height, 42, 0.5);
}

TEST(MedianFlow, FailsWhenThePictureIsAnotherOne) {
  const Scene before(0, 0, 1);
  const Scene after(0, 0, 1, 77);
  MedianFlowSettings strict;
  strict.max_error = 2;
  EXPECT_FALSE(median_flow(before.pyramid, after.pyramid, {100, 70, 40, 40}, strict));
}

TEST(MedianFlow, FailsOnAFlatPictureAndOutsideOfIt) {
  FlowPyramid pyramid;
  build_flow_pyramid(PaddedImage(240, 180).fill([](int, int) { return 90; }).view(), 5, 15,
                     pyramid);
  const FlowPyramidView flat = pyramid.host_view();
  EXPECT_FALSE(median_flow(flat, flat, {100, 70, 40, 40}, {}));
  const Scene scene(0, 0, 1);
  EXPECT_FALSE(median_flow(scene.pyramid, scene.pyramid, {500, 70, 40, 40}, {}));
  EXPECT_FALSE(median_flow(scene.pyramid, scene.pyramid, {-90, -90, 40, 40}, {}));
}

}  // namespace
}  // namespace cltrack
