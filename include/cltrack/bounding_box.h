// SPDX-License-Identifier: LGPL-2.1-or-later
// Axis-aligned boxes in pixels. Origin top-left, x to the right, y down; the right and bottom edges
// are exclusive, so a box that covers the first pixel alone is {0, 0, 1, 1}. Files that count from
// 1 (OTB, TLD ground truth) are converted where they are read.
#pragma once

#include <algorithm>
#include <cmath>

namespace cltrack {

struct BoundingBox {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;

  // Edges (exclusive) and centre, in pixels.
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  float center_x() const { return x + 0.5f * width; }
  float center_y() const { return y + 0.5f * height; }
  // In pixels; only for valid boxes.
  float area() const { return width * height; }

  // All four numbers finite and both sides greater than zero.
  bool is_valid() const {
    return std::isfinite(x) && std::isfinite(y) && std::isfinite(width) && std::isfinite(height) &&
           width > 0 && height > 0;
  }

  friend bool operator==(const BoundingBox&, const BoundingBox&) = default;
};

// The intersection; its width or height is 0 if the boxes do not overlap.
inline BoundingBox intersection(const BoundingBox& a, const BoundingBox& b) {
  const float x = std::max(a.x, b.x);
  const float y = std::max(a.y, b.y);
  return {x, y, std::max(0.0f, std::min(a.right(), b.right()) - x),
          std::max(0.0f, std::min(a.bottom(), b.bottom()) - y)};
}

// Overlap (intersection over union), 0 to 1; 0 if either box is empty.
inline float overlap(const BoundingBox& a, const BoundingBox& b) {
  const float common = intersection(a, b).area();
  const float all = a.area() + b.area() - common;
  return common > 0 && all > 0 ? common / all : 0.0f;
}

// The area that two boxes have in common as a share of the smaller one, 0 to 1: a piece of an
// object is that object, however small.
inline float share_of_smaller(const BoundingBox& a, const BoundingBox& b) {
  const float smaller = std::min(a.area(), b.area());
  return smaller > 0 ? intersection(a, b).area() / smaller : 0.0f;
}

// The part of `box` inside a frame of width x height pixels.
inline BoundingBox clip_to_frame(const BoundingBox& box, int width, int height) {
  return intersection(box, {0, 0, static_cast<float>(width), static_cast<float>(height)});
}

}  // namespace cltrack
