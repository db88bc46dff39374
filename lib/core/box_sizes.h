// SPDX-License-Identifier: LGPL-2.1-or-later
// Boxes of other sizes around the same centre.
#pragma once

#include "cltrack/bounding_box.h"

namespace cltrack {

inline BoundingBox centred_box(float center_x, float center_y, float width, float height) {
  return {center_x - 0.5f * width, center_y - 0.5f * height, width, height};
}

// `box` with other sides.
inline BoundingBox with_sides(const BoundingBox& box, float width, float height) {
  return centred_box(box.center_x(), box.center_y(), width, height);
}

inline BoundingBox scaled(const BoundingBox& box, float factor) {
  return with_sides(box, factor * box.width, factor * box.height);
}

}  // namespace cltrack
