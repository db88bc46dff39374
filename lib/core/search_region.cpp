// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/search_region.h"

#include <algorithm>

namespace cltrack {
namespace {

// How often a line from the point to the right crosses the polygon's sides, each without its lower
// end.
bool is_inside(const RelativePoint& point, const Polygon& polygon) {
  bool inside = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const RelativePoint& a = polygon[i];
    const RelativePoint& b = polygon[(i + 1) % polygon.size()];
    if ((a.y > point.y) == (b.y > point.y)) continue;
    const float crossing = a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y);
    if (point.x < crossing) inside = !inside;
  }
  return inside;
}

}  // namespace

bool SearchRegion::contains(const BoundingBox& box, int frame_width, int frame_height) const {
  const RelativePoint center = {(box.x + box.width / 2) / static_cast<float>(frame_width),
                                (box.y + box.height / 2) / static_cast<float>(frame_height)};
  const auto is_in = [&](const Polygon& polygon) { return is_inside(center, polygon); };
  return (within.empty() || std::ranges::any_of(within, is_in)) &&
         std::ranges::none_of(ignored, is_in);
}

}  // namespace cltrack
