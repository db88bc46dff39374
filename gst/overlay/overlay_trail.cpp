// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_trail.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace cltrack::gst {
namespace {

constexpr double kOldestAlpha = 0.15;
// Steps in which a line fades. Each is one stroke, which costs much more than another point in it.
constexpr std::size_t kFadeSteps = 64;
constexpr int kCell = 64;  // pixels; pieces consist of such squares

float margin_of(int line_width) { return static_cast<float>(line_width) / 2 + 1; }

// Whether a line from `a` to `b` may reach into `piece`.
bool may_touch(const TrackPoint& a, const TrackPoint& b, const PixelRect& piece, float margin) {
  return std::max(a.x, b.x) + margin >= static_cast<float>(piece.x - 1) &&
         std::min(a.x, b.x) - margin <= static_cast<float>(piece.right() + 1) &&
         std::max(a.y, b.y) + margin >= static_cast<float>(piece.y - 1) &&
         std::min(a.y, b.y) - margin <= static_cast<float>(piece.bottom() + 1);
}

// Whether `point` lies so close to the line from `a` to `b` that a line through it looks the same.
bool is_on_line(const TrackPoint& point, const TrackPoint& a, const TrackPoint& b) {
  constexpr float kTolerance = 0.1f;  // pixels
  const float dx = b.x - a.x, dy = b.y - a.y;
  const float length_squared = dx * dx + dy * dy;
  const float along = (point.x - a.x) * dx + (point.y - a.y) * dy;
  const float share = length_squared > 0 ? std::clamp(along / length_squared, 0.0f, 1.0f) : 0;
  return std::hypot(a.x + share * dx - point.x, a.y + share * dy - point.y) <= kTolerance;
}

std::vector<TrackPoint> without_spare_points(std::span<const TrackPoint> points) {
  constexpr std::size_t kMostSpared = 16;  // one after the other
  std::vector<TrackPoint> kept{points.front()};
  std::size_t anchor = 0;
  for (std::size_t i = 2; i < points.size(); ++i) {
    const auto between = points.subspan(anchor + 1, i - anchor - 1);
    const bool spare = between.size() <= kMostSpared &&
                       std::all_of(between.begin(), between.end(), [&](const TrackPoint& point) {
                         return is_on_line(point, points[anchor], points[i]);
                       });
    if (spare) continue;
    anchor = i - 1;
    kept.push_back(points[anchor]);
  }
  kept.push_back(points.back());
  return kept;
}

// Squares of a rectangle, and which of them a line touches.
class CellGrid {
 public:
  explicit CellGrid(const PixelRect& bounds)
      : bounds_(bounds),
        columns_((bounds.width + kCell - 1) / kCell),
        rows_((bounds.height + kCell - 1) / kCell),
        touched_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

  // The squares around a straight line, which are too many unless it is short.
  void touch(const TrackPoint& a, const TrackPoint& b, float margin) {
    const auto cell = [](float position, int origin, int count) {
      const float inside = std::clamp((position - static_cast<float>(origin)) / kCell, -1.0f,
                                      static_cast<float>(count));
      return static_cast<int>(std::floor(inside));
    };
    const float reach = margin + 1;
    const int left = cell(std::min(a.x, b.x) - reach, bounds_.x, columns_);
    const int right = cell(std::max(a.x, b.x) + reach, bounds_.x, columns_);
    const int top = cell(std::min(a.y, b.y) - reach, bounds_.y, rows_);
    const int bottom = cell(std::max(a.y, b.y) + reach, bounds_.y, rows_);
    for (int row = std::max(top, 0); row <= std::min(bottom, rows_ - 1); ++row) {
      for (int column = std::max(left, 0); column <= std::min(right, columns_ - 1); ++column) {
        touched_[index(column, row)] = true;
      }
    }
  }

  // Neighbours in a row are one rectangle.
  std::vector<PixelRect> touched() const {
    std::vector<PixelRect> pieces;
    for (int row = 0; row < rows_; ++row) {
      for (int column = 0; column < columns_; ++column) {
        if (!touched_[index(column, row)]) continue;
        const int first = column;
        while (column + 1 < columns_ && touched_[index(column + 1, row)]) ++column;
        pieces.push_back(intersection({bounds_.x + first * kCell, bounds_.y + row * kCell,
                                       (column + 1 - first) * kCell, kCell},
                                      bounds_));
      }
    }
    return pieces;
  }

 private:
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  PixelRect bounds_;
  int columns_;
  int rows_;
  std::vector<bool> touched_;
};

}  // namespace

PixelRect trail_bounds(std::span<const TrackPoint> points, int line_width, int frame_width,
                       int frame_height) {
  if (points.size() < 2) return {};
  float left = std::numeric_limits<float>::max(), top = left;
  float right = std::numeric_limits<float>::lowest(), bottom = right;
  for (const auto& [x, y] : points) {
    left = std::min(left, x);
    right = std::max(right, x);
    top = std::min(top, y);
    bottom = std::max(bottom, y);
  }
  const float margin = margin_of(line_width);
  const auto inside = [](float value, int limit) {
    return static_cast<int>(std::clamp(value, 0.0f, static_cast<float>(limit)));
  };
  const int x = inside(std::floor(left - margin), frame_width);
  const int y = inside(std::floor(top - margin), frame_height);
  return {x, y, inside(std::ceil(right + margin) + 1, frame_width) - x,
          inside(std::ceil(bottom + margin) + 1, frame_height) - y};
}

std::vector<PixelRect> trail_pieces(std::span<const TrackPoint> points, int line_width,
                                    int frame_width, int frame_height) {
  const PixelRect bounds = trail_bounds(points, line_width, frame_width, frame_height);
  if (bounds.is_empty()) return {};
  if (bounds.width <= 2 * kCell && bounds.height <= 2 * kCell) return {bounds};
  CellGrid grid(bounds);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const TrackPoint& from = points[i - 1];
    const TrackPoint& to = points[i];
    // The squares around a line that is longer than any frame will do.
    constexpr float kMostParts = 256;
    const float parts = std::ceil(std::hypot(to.x - from.x, to.y - from.y) / kCell);
    const int count = parts <= kMostParts ? std::max(1, static_cast<int>(parts)) : 1;
    for (int part = 0; part < count; ++part) {
      const auto at = [&](int number) {
        const float share = static_cast<float>(number) / static_cast<float>(count);
        return TrackPoint{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
      };
      grid.touch(at(part), at(part + 1), margin_of(line_width));
    }
  }
  return grid.touched();
}

std::vector<TrailStroke> trail_strokes(std::span<const TrackPoint> points) {
  std::vector<TrailStroke> strokes;
  if (points.size() < 2) return strokes;
  const std::size_t segments = points.size() - 1;
  const std::size_t steps = std::min(segments, kFadeSteps);
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t first = step * segments / steps;
    const std::size_t last = (step + 1) * segments / steps;
    const double age = static_cast<double>(steps - 1 - step) /
                       static_cast<double>(std::max<std::size_t>(steps - 1, 1));
    strokes.push_back({1 - age * (1 - kOldestAlpha),
                       without_spare_points(points.subspan(first, last + 1 - first))});
  }
  return strokes;
}

Raster paint_trail(std::span<const TrailStroke> strokes, const PixelRect& piece,
                   const OutlineStyle& style) {
  Raster raster(piece.width, piece.height);
  const Scoped<cairo_t, cairo_destroy> cairo(cairo_create(raster.surface()));
  cairo_translate(cairo.get(), 0.5 - piece.x, 0.5 - piece.y);
  cairo_set_line_width(cairo.get(), style.line_width);
  cairo_set_line_cap(cairo.get(), CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(cairo.get(), CAIRO_LINE_JOIN_ROUND);
  // Where strokes of different ages meet, the younger one counts: they must not add up.
  cairo_set_operator(cairo.get(), CAIRO_OPERATOR_SOURCE);
  const auto& [red, green, blue, alpha] = style.color;
  const float margin = margin_of(style.line_width);
  for (const auto& [fade, points] : strokes) {
    bool goes_on = false;  // from the point before
    bool has_path = false;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto& [x0, y0] = points[i - 1];
      const auto& [x1, y1] = points[i];
      if (!may_touch(points[i - 1], points[i], piece, margin)) {
        goes_on = false;
        continue;
      }
      if (!goes_on) cairo_move_to(cairo.get(), static_cast<double>(x0), static_cast<double>(y0));
      cairo_line_to(cairo.get(), static_cast<double>(x1), static_cast<double>(y1));
      goes_on = has_path = true;
    }
    if (!has_path) continue;
    cairo_set_source_rgba(cairo.get(), red, green, blue, alpha * style.opacity * fade);
    cairo_stroke(cairo.get());
  }
  cairo_surface_flush(raster.surface());
  return raster;
}

}  // namespace cltrack::gst
