// SPDX-License-Identifier: LGPL-2.1-or-later
// The counterpart of ColorPicture for operations that run on devices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cltrack/color_picture.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

class ColorPlanes {
 public:
  // Takes the picture without copying it, see Memory::borrow(). Interleaved components (packed
  // formats, NV12) are copied to devices together. Throws Error{invalid_argument} if it is empty or
  // more than kLargestColorWidth pixels wide.
  void borrow(const ColorPicture& picture);
  void release();

  const ColorPicture& picture() const { return picture_; }
  const ColorLayout& layout() const { return layout_; }
  const Array<std::uint8_t>& plane(std::size_t component) const {
    return planes_[plane_of_[component]];
  }

 private:
  ColorPicture picture_;
  ColorLayout layout_ = {};
  std::array<std::size_t, 3> plane_of_ = {};
  std::array<Array<std::uint8_t>, 3> planes_;
};

inline constexpr int kLargestColorWidth = 1 << 16;

}  // namespace cltrack
