// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/point_flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "cltrack/error.h"
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

// Pyramids of two pictures, padded or not.
struct Pictures {
  Pictures(const PaddedImage& before, const PaddedImage& after, int window = 15,
           decltype(&flow_pyramid_shape) shape = padded_flow_pyramid_shape) {
    const PaddedImage* images[2] = {&before, &after};
    for (int i = 0; i < 2; ++i) {
      const FlowPyramidShape at = shape(before.width(), before.height(), 5, window);
      pixels[i].resize(at.bytes());
      decltype(&reference::build_flow_pyramid) build = vector::build_flow_pyramid;
      if (at.padding == 0) build = reference::build_flow_pyramid;
      build(images[i]->view(), at, pixels[i].data());
      pyramids[i] = {at, pixels[i].data()};
    }
  }

  std::vector<TrackedPoint> flow(const std::vector<Point>& points,
                                 const FlowSettings& settings = {},
                                 decltype(&reference::point_flow) body = vector::point_flow) const {
    std::vector<TrackedPoint> result(points.size());
    body(pyramids[0], pyramids[1], points, settings, result.data());
    return result;
  }

  std::vector<std::uint8_t> pixels[2];
  FlowPyramidView pyramids[2];
};

TEST(PointFlow, FollowsATextureByFractionsOfAPixel) {
  for (const auto& [dx, dy] : {std::pair{0.0f, 0.0f}, {2.3f, -1.6f}, {-9.5f, 6.25f}}) {
    const Pictures pictures(textured(181, 133, 0, 0, 3), textured(181, 133, dx, dy, 11));
    const std::vector<Point> points = {{60, 50}, {90.5f, 66.25f}, {120, 80}};
    const std::vector<TrackedPoint> flow = pictures.flow(points);
    ASSERT_EQ(flow.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_TRUE(flow[i].found);
      EXPECT_NEAR(flow[i].x, points[i].x + dx, 0.1);
      EXPECT_NEAR(flow[i].y, points[i].y + dy, 0.1);
      EXPECT_LT(flow[i].forward_backward, 0.1);
      EXPECT_GT(flow[i].similarity, 0.98);
    }
  }
}

TEST(PointFlow, FindsNothingInAFlatPicture) {
  const PaddedImage flat = PaddedImage(100, 80).fill([](int, int) { return 128; });
  EXPECT_FALSE(Pictures(flat, flat).flow({{50, 40}})[0].found);
}

TEST(PointFlow, TakesPointsOutsideAndTinyPictures) {
  const Pictures pictures(textured(12, 9, 0, 0, 0), textured(12, 9, 1, 0, 0));
  const auto flow = pictures.flow({{-500, -500}, {5, 5}, {1e6f, 3}});
  EXPECT_FALSE(flow[0].found);
  EXPECT_FALSE(flow[2].found);
  EXPECT_TRUE(pictures.flow({}).empty());
}

TEST(PointFlow, RejectsWhatDoesNotFit) {
  const PaddedImage image = textured(60, 50, 0, 0, 0);
  const Pictures pictures(image, image, 15);
  for (const int window : {-1, 0, 1, 8, 17}) {
    EXPECT_THROW(pictures.flow({{30, 30}}, {.window = window}), Error) << window;
  }
  EXPECT_THROW(Pictures(image, image, 33).flow({{30, 30}}, {.window = 33}), Error);
  EXPECT_THROW(Pictures(image, image, 33).flow({{30, 30}}, {.window = 33}, reference::point_flow),
               Error);
}

// Bodies and paddings: a window is read in place or, near borders, in a copy.
TEST(PointFlow, BodiesAgreeInEveryBit) {
  Random random(9);
  for (const auto& [width, height] : {std::pair{181, 133}, {64, 47}, {23, 11}}) {
    std::vector<Point> points;
    for (int i = 0; i < 300; ++i) {
      points.push_back({random.uniform(-20, static_cast<float>(width) + 20),
                        random.uniform(-20, static_cast<float>(height) + 20)});
    }
    const PaddedImage before = textured(width, height, 0, 0, 3);
    const PaddedImage after = textured(width, height, 1.7f, -0.6f, 1);
    for (int window = 3; window <= kLargestFlowWindow; window += 2) {
      const FlowSettings settings = {.window = window};
      const Pictures plain(before, after, window, flow_pyramid_shape);
      const Pictures padded(before, after, window);
      const auto expected = plain.flow(points, settings, reference::point_flow);
      const auto equals_expected = [&](const std::vector<TrackedPoint>& result) {
        return std::memcmp(result.data(), expected.data(),
                           expected.size() * sizeof(TrackedPoint)) == 0;
      };
      EXPECT_TRUE(equals_expected(plain.flow(points, settings))) << width << ", " << window;
      EXPECT_TRUE(equals_expected(padded.flow(points, settings))) << width << ", " << window;
      EXPECT_TRUE(equals_expected(padded.flow(points, settings, reference::point_flow)));
    }
  }
}

}  // namespace
}  // namespace cltrack
