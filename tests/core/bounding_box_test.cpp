// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/bounding_box.h"

#include <gtest/gtest.h>

#include <limits>

#include "cltrack/search_region.h"

namespace cltrack {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(BoundingBox, OverlapHandComputed) {
  const BoundingBox a{10, 10, 20, 20};
  EXPECT_FLOAT_EQ(overlap(a, a), 1);
  EXPECT_FLOAT_EQ(overlap(a, {20, 10, 20, 20}), 200.0f / 600.0f);
  EXPECT_FLOAT_EQ(overlap(a, {15, 15, 10, 10}), 100.0f / 400.0f);
  EXPECT_EQ(overlap(a, {30, 10, 20, 20}), 0) << "right edges are exclusive";
  EXPECT_EQ(overlap(a, {100, 100, 5, 5}), 0);
  EXPECT_EQ(overlap(a, {15, 15, 0, 10}), 0);
  EXPECT_EQ(overlap({}, {}), 0);
}

TEST(BoundingBox, ClipsToTheFrame) {
  EXPECT_EQ(clip_to_frame({-5, -6, 20, 30}, 100, 50), (BoundingBox{0, 0, 15, 24}));
  EXPECT_EQ(clip_to_frame({90, 40, 20, 30}, 100, 50), (BoundingBox{90, 40, 10, 10}));
  EXPECT_EQ(clip_to_frame({10, 10, 20, 30}, 100, 50), (BoundingBox{10, 10, 20, 30}));
  EXPECT_FALSE(clip_to_frame({100, 0, 20, 30}, 100, 50).is_valid());
  EXPECT_FALSE(clip_to_frame({-50, 0, 20, 30}, 100, 50).is_valid());
}

TEST(BoundingBox, KnowsWhatIsNotABox) {
  EXPECT_TRUE((BoundingBox{-10, 3, 0.5f, 1}).is_valid());
  for (const BoundingBox& box : {BoundingBox{0, 0, 0, 5},
                                 {0, 0, 5, -1},
                                 {kNaN, 0, 5, 5},
                                 {0, kInfinity, 5, 5},
                                 {0, 0, kNaN, 5},
                                 {0, 0, 5, kInfinity}}) {
    EXPECT_FALSE(box.is_valid());
  }
}

const Polygon kLeftHalf = {{0, 0}, {0.5f, 0}, {0.5f, 1}, {0, 1}};
const Polygon kMiddle = {{0.25f, 0.25f}, {0.25f, 0.75f}, {0.75f, 0.75f}, {0.75f, 0.25f}};

// A box of 20x10 with this centre in a frame of 200x100.
bool contains(const SearchRegion& region, float x, float y) {
  return region.contains({x - 10, y - 5, 20, 10}, 200, 100);
}

TEST(SearchRegion, IsEverywhereAtFirst) {
  EXPECT_TRUE(contains({}, 100, 50));
  EXPECT_TRUE(contains({}, -5, 120));
}

TEST(SearchRegion, IsWithinAnyOfItsPolygons) {
  const SearchRegion region{.within = {kLeftHalf, kMiddle}};
  EXPECT_TRUE(contains(region, 20, 10));
  EXPECT_TRUE(contains(region, 140, 50));
  EXPECT_FALSE(contains(region, 140, 10));
  EXPECT_FALSE(contains(region, 199, 50));
  EXPECT_FALSE(contains(region, -1, 50));
}

TEST(SearchRegion, IsOutsideOfWhatIsIgnored) {
  const SearchRegion region{.within = {kLeftHalf}, .ignored = {kMiddle}};
  EXPECT_TRUE(contains(region, 20, 50));
  EXPECT_FALSE(contains(region, 80, 50));
  EXPECT_TRUE(contains(region, 80, 10));
}

TEST(SearchRegion, PolygonsMayBeConcaveAndCrossThemselves) {
  const Polygon arrow = {{0, 0}, {1, 0.5f}, {0, 1}, {0.5f, 0.5f}};
  EXPECT_TRUE(contains({.within = {arrow}}, 150, 50));
  EXPECT_FALSE(contains({.within = {arrow}}, 20, 50));
  const Polygon hourglass = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  EXPECT_TRUE(contains({.within = {hourglass}}, 100, 20));
  EXPECT_TRUE(contains({.within = {hourglass}}, 100, 80));
  EXPECT_FALSE(contains({.within = {hourglass}}, 20, 50));
}

// Of two polygons side by side, a point on the side that they share is in one alone.
TEST(SearchRegion, NoPlaceIsInTwoPolygonsThatTouch) {
  const Polygon right = {{0.5f, 0}, {1, 0}, {1, 1}, {0.5f, 1}};
  for (const float y : {0.0f, 10.0f, 50.0f, 99.0f}) {
    EXPECT_NE(contains({.within = {kLeftHalf}}, 100, y), contains({.within = {right}}, 100, y));
  }
}

}  // namespace
}  // namespace cltrack
