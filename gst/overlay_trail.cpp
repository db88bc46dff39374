// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay_trail.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cltrack::gst {
namespace {

constexpr double kOldestAlpha = 0.15;

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
  const float margin = static_cast<float>(line_width) / 2 + 1;
  const auto inside = [](float value, int limit) {
    return static_cast<int>(std::clamp(value, 0.0f, static_cast<float>(limit)));
  };
  const int x = inside(std::floor(left - margin), frame_width);
  const int y = inside(std::floor(top - margin), frame_height);
  return {x, y, inside(std::ceil(right + margin) + 1, frame_width) - x,
          inside(std::ceil(bottom + margin) + 1, frame_height) - y};
}

Raster paint_trail(std::span<const TrackPoint> points, const PixelRect& piece,
                   const OutlineStyle& style) {
  Raster raster(piece.width, piece.height);
  const Scoped<cairo_t, cairo_destroy> cairo(cairo_create(raster.surface()));
  cairo_translate(cairo.get(), 0.5 - piece.x, 0.5 - piece.y);
  cairo_set_line_width(cairo.get(), style.line_width);
  cairo_set_line_cap(cairo.get(), CAIRO_LINE_CAP_ROUND);
  // Where strokes of different ages meet, the younger one counts: they must not add up.
  cairo_set_operator(cairo.get(), CAIRO_OPERATOR_SOURCE);
  const auto& [red, green, blue, alpha] = style.color;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double age = static_cast<double>(points.size() - 1 - i) /
                       static_cast<double>(std::max<std::size_t>(points.size() - 2, 1));
    const double fade = 1 - age * (1 - kOldestAlpha);
    cairo_set_source_rgba(cairo.get(), red, green, blue, alpha * style.opacity * fade);
    cairo_move_to(cairo.get(), static_cast<double>(points[i - 1].x),
                  static_cast<double>(points[i - 1].y));
    cairo_line_to(cairo.get(), static_cast<double>(points[i].x), static_cast<double>(points[i].y));
    cairo_stroke(cairo.get());
  }
  cairo_surface_flush(raster.surface());
  return raster;
}

}  // namespace cltrack::gst
