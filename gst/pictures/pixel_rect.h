// SPDX-License-Identifier: LGPL-2.1-or-later
// A rectangle of whole pixels of a picture.
#pragma once

#include <algorithm>
#include <compare>

namespace cltrack::gst {

struct PixelRect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  int right() const { return x + width; }
  int bottom() const { return y + height; }
  bool is_empty() const { return width <= 0 || height <= 0; }

  friend auto operator<=>(const PixelRect&, const PixelRect&) = default;
};

inline PixelRect intersection(const PixelRect& a, const PixelRect& b) {
  const int x = std::max(a.x, b.x);
  const int y = std::max(a.y, b.y);
  return {x, y, std::max(0, std::min(a.right(), b.right()) - x),
          std::max(0, std::min(a.bottom(), b.bottom()) - y)};
}

}  // namespace cltrack::gst
