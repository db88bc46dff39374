// SPDX-License-Identifier: LGPL-2.1-or-later
// Boxes of other sizes around the same centre, and boxes in terms of another one.
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

// Corner and sides of `box` in sides of `base`, from its corner on; and back.
inline BoundingBox relative_to(const BoundingBox& base, const BoundingBox& box) {
  return {(box.x - base.x) / base.width, (box.y - base.y) / base.height, box.width / base.width,
          box.height / base.height};
}
inline BoundingBox placed_in(const BoundingBox& base, const BoundingBox& relative) {
  return {base.x + relative.x * base.width, base.y + relative.y * base.height,
          relative.width * base.width, relative.height * base.height};
}

}  // namespace cltrack
