// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/point_flow.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/test_image.h"

namespace cltrack {
namespace {

using test::PaddedImage;
using test::Texture;

PaddedImage textured(int width, int height, float dx, float dy, int padding) {
  const Texture texture(21);
  return PaddedImage(width, height, padding).fill([&](int x, int y) {
    return std::lround(texture.at(static_cast<float>(x) - dx, static_cast<float>(y) - dy));
  });
}

FlowPyramid pyramid(const PaddedImage& image, int window = 15) {
  FlowPyramid result;
  result.build(image.view(), 5, window);
  return result;
}

TEST(PointFlow, FollowsATextureByFractionsOfAPixel) {
  for (const auto& [dx, dy] : {std::pair{0.0f, 0.0f}, {2.3f, -1.6f}, {-9.5f, 6.25f}}) {
    const FlowPyramid before = pyramid(textured(181, 133, 0, 0, 3));
    const FlowPyramid after = pyramid(textured(181, 133, dx, dy, 11));
    const std::vector<Point> points = {{60, 50}, {90.5f, 66.25f}, {120, 80}};
    const std::vector<FlowPoint> flow = point_flow(before, after, points, {});
    ASSERT_EQ(flow.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_TRUE(flow[i].found);
      EXPECT_NEAR(flow[i].to.x, points[i].x + dx, 0.1);
      EXPECT_NEAR(flow[i].to.y, points[i].y + dy, 0.1);
      EXPECT_LT(flow[i].forward_backward, 0.1);
    }
  }
}

TEST(PointFlow, FindsNothingInAFlatPicture) {
  const PaddedImage flat = PaddedImage(100, 80).fill([](int, int) { return 128; });
  const FlowPyramid before = pyramid(flat);
  const FlowPyramid after = pyramid(flat);
  EXPECT_FALSE(point_flow(before, after, {{50, 40}}, {})[0].found);
}

TEST(PointFlow, TakesPointsOutsideAndTinyPictures) {
  const FlowPyramid before = pyramid(textured(12, 9, 0, 0, 0));
  const FlowPyramid after = pyramid(textured(12, 9, 1, 0, 0));
  const auto flow = point_flow(before, after, {{-500, -500}, {5, 5}, {1e6f, 3}}, {});
  EXPECT_FALSE(flow[0].found);
  EXPECT_FALSE(flow[2].found);
  EXPECT_TRUE(point_flow(before, after, {}, {}).empty());
}

TEST(FlowPyramid, KeepsACopyOfThePicture) {
  FlowPyramid kept;
  EXPECT_TRUE(kept.empty());
  PaddedImage image = textured(40, 30, 0, 0, 5);
  kept.build(image.view(), 3, 9);
  EXPECT_FALSE(kept.empty());
  EXPECT_EQ(kept.largest_window(), 9);
  const int value = image.view().at(20, 10);
  image.fill([](int, int) { return 0; });
  EXPECT_EQ(kept.picture().at(20, 10), value);
  EXPECT_EQ(kept.picture().width, 40);
}

}  // namespace
}  // namespace cltrack
