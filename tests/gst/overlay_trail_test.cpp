// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay_trail.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace cltrack::gst {
namespace {

unsigned alpha_at(const Raster& raster, int x, int y) {
  std::uint32_t value = 0;
  std::memcpy(&value, raster.data() + y * raster.stride() + x * 4, sizeof(value));
  return value >> 24;
}

TEST(TrailBounds, HoldTheLineAndItsWidth) {
  const std::vector<TrackPoint> points = {{10, 20}, {50, 20}, {50, 60}};
  const PixelRect bounds = trail_bounds(points, 4, 100, 100);
  EXPECT_LE(bounds.x, 8);
  EXPECT_LE(bounds.y, 18);
  EXPECT_GE(bounds.right(), 53);
  EXPECT_GE(bounds.bottom(), 63);
  EXPECT_LE(bounds.width, 50);
  EXPECT_EQ(intersection(bounds, {0, 0, 100, 100}), bounds);
}

TEST(TrailBounds, AreEmptyWhereThereIsNoLine) {
  EXPECT_TRUE(trail_bounds({}, 2, 100, 100).is_empty());
  EXPECT_TRUE(trail_bounds(std::vector<TrackPoint>{{1, 2}}, 2, 100, 100).is_empty());
  const std::vector<TrackPoint> outside = {{200, 20}, {1e30f, 20}};
  EXPECT_TRUE(trail_bounds(outside, 2, 100, 100).is_empty());
}

TEST(PaintTrail, FadesTowardsItsBeginning) {
  std::vector<TrackPoint> points;
  for (int i = 0; i < 20; ++i) points.push_back({static_cast<float>(10 + 4 * i), 30});
  const OutlineStyle style = {.color = {1, 0, 0}, .line_width = 3};
  const PixelRect bounds = trail_bounds(points, style.line_width, 120, 60);
  const Raster raster = paint_trail(points, bounds, style);
  const int y = 30 - bounds.y;
  const unsigned newest = alpha_at(raster, 84 - bounds.x, y);
  const unsigned oldest = alpha_at(raster, 12 - bounds.x, y);
  EXPECT_GT(newest, 240u);
  EXPECT_GT(oldest, 20u);
  EXPECT_LT(oldest, 80u);
  EXPECT_EQ(alpha_at(raster, 50 - bounds.x, 0), 0u) << "nothing beside the line";
}

TEST(PaintTrail, OpacityHoldsForAllOfIt) {
  // To and fro over the same pixels: strokes do not add up.
  const std::vector<TrackPoint> points = {{10, 30}, {50, 30}, {10, 30}, {50, 30}};
  const OutlineStyle style = {.color = {1, 0, 0}, .line_width = 3, .opacity = 0.5};
  const PixelRect bounds = trail_bounds(points, style.line_width, 120, 60);
  const Raster raster = paint_trail(points, bounds, style);
  EXPECT_NEAR(alpha_at(raster, 30 - bounds.x, 30 - bounds.y), 128, 3);
}

}  // namespace
}  // namespace cltrack::gst
