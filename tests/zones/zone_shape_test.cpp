// SPDX-License-Identifier: LGPL-2.1-or-later
#include "zones/zone_shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "support/errors.h"

namespace cltrack {
namespace {

constexpr int kWidth = 640, kHeight = 480;

ZoneShape shape(ZoneKind kind, std::vector<RelativePoint> corners) {
  return {{.name = "zone", .kind = kind, .corners = std::move(corners), .in_pixels = true},
          kWidth,
          kHeight};
}

ZoneShape area(std::vector<RelativePoint> corners) {
  return shape(ZoneKind::area, std::move(corners));
}

ZoneShape line(std::vector<RelativePoint> corners) {
  return shape(ZoneKind::line, std::move(corners));
}

TEST(ZoneShape, IsInPixelsOrInFractionsOfThePicture) {
  const std::vector<RelativePoint> corners = {{0.25f, 0.5f}, {0.5f, 0.5f}, {0.5f, 0.75f}};
  const ZoneShape fractions({.name = "zone", .corners = corners}, kWidth, kHeight);
  const ZoneShape pixels = area({{160, 240}, {320, 240}, {320, 360}});
  for (const ZoneShape& tested : {fractions, pixels}) {
    EXPECT_TRUE(tested.contains({300, 250}));
    EXPECT_FALSE(tested.contains({200, 300}));
    EXPECT_FALSE(tested.contains({321, 250}));
  }
}

TEST(ZoneShape, HasBaysAndTips) {
  // A "U".
  const ZoneShape tested = area({{100, 100},
                                 {150, 100},
                                 {150, 200},
                                 {200, 200},
                                 {200, 100},
                                 {250, 100},
                                 {250, 250},
                                 {100, 250}});
  EXPECT_TRUE(tested.contains({120, 120}));
  EXPECT_FALSE(tested.contains({175, 150}));
  EXPECT_TRUE(tested.contains({175, 225}));
  EXPECT_TRUE(tested.contains({225, 120}));
  // At the height of corners, which belong to two edges.
  EXPECT_TRUE(tested.contains({120, 200}));
  EXPECT_FALSE(tested.contains({50, 200}));
  EXPECT_FALSE(tested.contains({50, 100}));
}

// Each place belongs to one of two areas that have an edge in common.
TEST(ZoneShape, LeavesNoGapBetweenNeighbours) {
  const ZoneShape left = area({{0, 0}, {300, 0}, {340, 480}, {0, 480}});
  const ZoneShape right = area({{300, 0}, {640, 0}, {640, 480}, {340, 480}});
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 290; x < 350; ++x) {
      const PicturePoint point = {static_cast<float>(x), static_cast<float>(y)};
      ASSERT_NE(left.contains(point), right.contains(point)) << x << ", " << y;
    }
  }
}

TEST(ZoneShape, IsNearItsEdges) {
  const ZoneShape tested = area({{100, 100}, {300, 100}, {300, 300}, {100, 300}});
  EXPECT_TRUE(tested.is_near({95, 200}, 5));
  EXPECT_FALSE(tested.is_near({94, 200}, 5));
  EXPECT_TRUE(tested.is_near({105, 200}, 5));
  EXPECT_FALSE(tested.is_near({106, 200}, 5));
  // A corner is 5 pixels away.
  EXPECT_TRUE(tested.is_near({97, 96}, 5));
  EXPECT_FALSE(tested.is_near({96, 96}, 5));
}

TEST(ZoneShape, LeavesRoomInNarrowAreas) {
  const ZoneShape square = area({{100, 100}, {140, 100}, {140, 140}, {100, 140}});
  EXPECT_FALSE(square.is_near({120, 120}, 1000));
  const ZoneShape strip = area({{100, 100}, {500, 100}, {500, 110}, {100, 110}});
  EXPECT_FALSE(strip.is_near({300, 105}, 1000));
  EXPECT_TRUE(strip.is_near({300, 101}, 1000));
}

TEST(ZoneShape, HasNoEdgeWhereThePictureEnds) {
  const ZoneShape tested = area({{0, 240}, {639, 240}, {640, 480}, {0, 479}});
  EXPECT_FALSE(tested.is_near({1, 400}, 50));
  EXPECT_FALSE(tested.is_near({639, 400}, 50));
  EXPECT_FALSE(tested.is_near({300, 479}, 50));
  EXPECT_TRUE(tested.is_near({300, 250}, 50));
  // That of a line is one.
  EXPECT_TRUE(line({{0, 100}, {0, 300}}).is_near({10, 200}, 50));
}

TEST(ZoneShape, TellsDirections) {
  // From left to right; its right is below.
  const ZoneShape tested = line({{100, 200}, {500, 200}});
  EXPECT_EQ(tested.crossings({300, 150}, {310, 250}), 1);
  EXPECT_EQ(tested.crossings({310, 250}, {300, 150}), -1);
  EXPECT_EQ(tested.crossings({300, 150}, {310, 190}), 0);
  EXPECT_EQ(tested.crossings({50, 150}, {60, 250}), 0) << "round its end";
  EXPECT_EQ(line({{500, 200}, {100, 200}}).crossings({300, 150}, {310, 250}), -1);
}

// Through corners, along edges, and with ends on them: each way counts once.
TEST(ZoneShape, CountsAWayThroughACornerOnce) {
  const ZoneShape tested = line({{100, 200}, {300, 200}, {500, 200}, {500, 400}});
  EXPECT_EQ(tested.crossings({300, 150}, {300, 250}), 1);
  EXPECT_EQ(tested.crossings({300, 250}, {300, 150}), -1);
  // A step that ends on the line, and the next one.
  EXPECT_EQ(tested.crossings({250, 150}, {250, 200}) + tested.crossings({250, 200}, {250, 250}), 1);
  EXPECT_EQ(tested.crossings({250, 150}, {250, 200}) + tested.crossings({250, 200}, {250, 150}), 0);
  EXPECT_EQ(tested.crossings({300, 150}, {300, 200}) + tested.crossings({300, 200}, {300, 250}), 1);
  // In at one edge of the bay and out at the other.
  EXPECT_EQ(tested.crossings({400, 150}, {600, 350}), 0);
}

TEST(ZoneShape, RefusesWhatIsNoZone) {
  const auto refused = [](ZoneKind kind, std::vector<RelativePoint> corners, const char* part,
                          bool in_pixels = false) {
    test::expect_rejected([&] { check_corners(corners, kind, in_pixels); }, {part});
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  using enum ZoneKind;
  refused(area, {{0, 0}, {1, 1}}, "2 corners; allowed: 3 to 1000");
  refused(line, {{0, 0}}, "1 corners; allowed: 2 to 1000");
  refused(area, std::vector<RelativePoint>(1'000'000), "1000000 corners");
  refused(area, {{0, 0}, {nan, 0}, {1, 1}}, "corner 2 is nan,0");
  refused(area, {{0, 0}, {std::numeric_limits<float>::infinity(), 0}, {1, 1}}, "corner 2 is inf,0");
  refused(area, {{0, 0}, {0.5f, 0}, {1, 1.5f}}, "corner 3 is 1,1.5; allowed: 0 to 1 (or write");
  refused(area, {{0, 0}, {500, 0}, {1, -1}}, "corner 3 is 1,-1; allowed: 0 to 65536", true);
  refused(area, {{0, 0}, {0.5f, 0}, {0.5f, 0}, {1, 1}}, "corners 2 and 3 are the same, 0.5,0");
  refused(area, {{0, 0}, {0.5f, 0}, {1, 1}, {0, 0}}, "corners 4 and 1 are the same");
  // An hourglass, one edge on another, a corner on an edge, a spike.
  refused(area, {{0, 0}, {1, 1}, {1, 0}, {0, 1}}, "edges 1 and 3 meet");
  refused(area, {{0, 0}, {1, 0}, {1, 1}, {0.5f, 0}, {0, 1}}, "edges 1 and 3 meet");
  refused(area, {{0, 0}, {0.5f, 0.5f}, {1, 1}}, "meet");
  refused(area, {{0, 0}, {1, 0}, {0.5f, 0}, {0.5f, 1}}, "edges 1 and 2 meet");
  refused(line, {{0, 0}, {1, 1}, {1, 0}, {0, 1}}, "edges 1 and 3 meet");
  refused(area, {{0, 0}, {1e-4f, 0}, {1e-4f, 1e-4f}}, "its area is zero");
}

TEST(ZoneShape, TakesWhatIsAZone) {
  check_corners(std::vector<RelativePoint>{{0, 0}, {1, 0}, {1, 1}}, ZoneKind::area, false);
  check_corners(std::vector<RelativePoint>{{0, 0}, {1, 0}}, ZoneKind::line, false);
  check_corners(std::vector<RelativePoint>{{0, 0}, {0.5f, 0}, {1, 0}, {1, 1}}, ZoneKind::area,
                false);
  std::vector<RelativePoint> circle;
  for (std::size_t i = 0; i < Zone::kMostCorners; ++i) {
    const float angle = 6.2831853f * static_cast<float>(i) / Zone::kMostCorners;
    circle.push_back({0.5f + 0.5f * std::cos(angle), 0.5f + 0.5f * std::sin(angle)});
  }
  for (RelativePoint& point : circle)
    point = {std::clamp(point.x, 0.f, 1.f), std::clamp(point.y, 0.f, 1.f)};
  check_corners(circle, ZoneKind::area, false);
}

}  // namespace
}  // namespace cltrack
