// SPDX-License-Identifier: LGPL-2.1-or-later
// The windows that the detector looks at: boxes of the first box's shape at several sizes, spread
// over the frame at steps of a tenth of their shorter side. A window is known by its index; sizes
// come in rising order, within a size rows from top to bottom, within a row from left to right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"

namespace cltrack {

struct Window {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  BoundingBox box() const {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(width),
            static_cast<float>(height)};
  }
};

// All windows of one size.
struct ScanScale {
  int width = 0;
  int height = 0;
  std::vector<int> xs;      // left edges of the columns, rising
  std::vector<int> ys;      // top edges of the rows, rising
  std::uint32_t first = 0;  // index of the window at (xs[0], ys[0])

  std::uint32_t size() const { return static_cast<std::uint32_t>(xs.size() * ys.size()); }
};

struct WindowOverlap {
  std::uint32_t window = 0;
  float overlap = 0;
};

class ScanGrid {
 public:
  ScanGrid() = default;

  // `width` and `height`: of the target's first box, at least kMinimumBoxSide and at most the
  // frame.
  ScanGrid(float width, float height, int frame_width, int frame_height, const TldConfig& config);

  const std::vector<ScanScale>& scales() const { return scales_; }
  std::uint32_t size() const { return size_; }
  std::size_t scale_of(std::uint32_t window) const;
  Window window(std::uint32_t index) const;

  // The windows that overlap `box` by more than `minimum` (> 0), highest overlap first, ties by
  // index. Only the few whose size and place allow it are looked at.
  std::vector<WindowOverlap> overlapping(const BoundingBox& box, float minimum) const;

 private:
  std::vector<ScanScale> scales_;
  std::uint32_t size_ = 0;
};

}  // namespace cltrack
