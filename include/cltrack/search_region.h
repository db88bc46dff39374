// SPDX-License-Identifier: LGPL-2.1-or-later
// Where in the frame targets are looked for.
#pragma once

#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/export.h"

namespace cltrack {

// The top left corner of the frame is (0, 0), the bottom right one (1, 1), whatever its size.
struct RelativePoint {
  float x = 0;
  float y = 0;

  friend bool operator==(const RelativePoint&, const RelativePoint&) = default;
};

// Its corners, in order; the last one is joined to the first one. Where its sides cross, what is
// inside an even number of times is outside.
using Polygon = std::vector<RelativePoint>;

// A place belongs to it if its centre is inside one of the polygons `within`, or there are none,
// and inside none of `ignored`.
struct CLTRACK_API SearchRegion {
  std::vector<Polygon> within = {};
  std::vector<Polygon> ignored = {};

  // Whether a box on a frame of frame_width x frame_height pixels belongs to it.
  bool contains(const BoundingBox& box, int frame_width, int frame_height) const;

  friend bool operator==(const SearchRegion&, const SearchRegion&) = default;
};

}  // namespace cltrack
