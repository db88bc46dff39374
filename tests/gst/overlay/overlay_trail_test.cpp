// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_trail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
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

// Around in a large circle.
std::vector<TrackPoint> circle(int count) {
  std::vector<TrackPoint> points;
  for (int i = 0; i < count; ++i) {
    const float angle = static_cast<float>(i) * 6 / static_cast<float>(count);
    points.push_back({500 + 400 * std::cos(angle), 500 + 400 * std::sin(angle)});
  }
  return points;
}

TEST(TrailPieces, AreTheLineWithoutWhatItEncloses) {
  for (const int count : {5, 300}) {
    const std::vector<TrackPoint> points = circle(count);
    const OutlineStyle style = {.color = {1, 0, 0}, .line_width = 5};
    const PixelRect bounds = trail_bounds(points, style.line_width, 1920, 1080);
    const Raster whole = paint_trail(trail_strokes(points), bounds, style);
    std::vector<int> shown(static_cast<std::size_t>(bounds.width * bounds.height), -1);
    int area = 0;
    for (const PixelRect& piece : trail_pieces(points, style.line_width, 1920, 1080)) {
      ASSERT_EQ(intersection(piece, bounds), piece);
      area += piece.width * piece.height;
      const Raster raster = paint_trail(trail_strokes(points), piece, style);
      for (int y = 0; y < piece.height; ++y) {
        for (int x = 0; x < piece.width; ++x) {
          const int at = (piece.y - bounds.y + y) * bounds.width + piece.x - bounds.x + x;
          int& here = shown[static_cast<std::size_t>(at)];
          EXPECT_EQ(here, -1) << "pieces overlap";
          here = static_cast<int>(alpha_at(raster, x, y));
        }
      }
    }
    EXPECT_LT(area, bounds.width * bounds.height / 2) << count;
    int wrong = 0;
    for (int y = 0; y < bounds.height; ++y) {
      for (int x = 0; x < bounds.width; ++x) {
        const int here = shown[static_cast<std::size_t>(y * bounds.width + x)];
        // Cairo's sums of parts of pixels depend on where its surface begins.
        if (std::abs(std::max(here, 0) - static_cast<int>(alpha_at(whole, x, y))) > 2) ++wrong;
      }
    }
    EXPECT_EQ(wrong, 0) << count;
  }
}

TEST(TrailPieces, AreFewHoweverFarTheLineGoes) {
  for (const float far : {1e5f, 1e30f}) {
    const std::vector<TrackPoint> points = {{10, 10}, {far, far}, {-far, 500}};
    const auto pieces = trail_pieces(points, 3, 1920, 1080);
    EXPECT_FALSE(pieces.empty());
    for (const PixelRect& piece : pieces) {
      EXPECT_EQ(intersection(piece, {0, 0, 1920, 1080}), piece);
    }
  }
  EXPECT_TRUE(trail_pieces({}, 3, 100, 100).empty());
}

TEST(TrailStrokes, LeaveOutPointsThatShowNothing) {
  std::vector<TrackPoint> straight;
  for (int i = 0; i < 1024; ++i) straight.push_back({static_cast<float>(i), 20.04f * (i % 2)});
  const auto count = [](const std::vector<TrailStroke>& strokes) {
    std::size_t sum = 0;
    for (const TrailStroke& stroke : strokes) sum += stroke.points.size();
    return sum;
  };
  const auto zigzag = trail_strokes(straight);
  EXPECT_GE(count(zigzag), 1024u) << "every point shows";
  for (TrackPoint& point : straight) point.y = 20;
  const auto strokes = trail_strokes(straight);
  EXPECT_EQ(count(strokes), 2 * strokes.size()) << "two ends are a line";
  EXPECT_EQ(strokes.front().points.front().x, 0);
  EXPECT_EQ(strokes.back().points.back().x, 1023);
  for (std::size_t i = 1; i < strokes.size(); ++i) {
    EXPECT_EQ(strokes[i].points.front().x, strokes[i - 1].points.back().x);
    EXPECT_GT(strokes[i].fade, strokes[i - 1].fade);
  }
  EXPECT_EQ(trail_strokes(std::vector<TrackPoint>(7, {5, 5})).size(), 6u);
  EXPECT_TRUE(trail_strokes({}).empty());
}

TEST(PaintTrail, FadesTowardsItsBeginning) {
  std::vector<TrackPoint> points;
  for (int i = 0; i < 20; ++i) points.push_back({static_cast<float>(10 + 4 * i), 30});
  const OutlineStyle style = {.color = {1, 0, 0}, .line_width = 3};
  const PixelRect bounds = trail_bounds(points, style.line_width, 120, 60);
  const Raster raster = paint_trail(trail_strokes(points), bounds, style);
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
  const Raster raster = paint_trail(trail_strokes(points), bounds, style);
  EXPECT_NEAR(alpha_at(raster, 30 - bounds.x, 30 - bounds.y), 128, 3);
}

}  // namespace
}  // namespace cltrack::gst
