// SPDX-License-Identifier: LGPL-2.1-or-later
// A picture in colour wherever it is: ColorPicture's counterpart for operations that run on
// devices.
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
  // Takes the picture without copying it, see Memory::borrow(). Components that lie among each
  // other (packed formats, NV12) travel together. Throws Error{invalid_argument} if it is empty or
  // more than kLargestColorWidth pixels wide.
  void borrow(const ColorPicture& picture);
  void release();

  const ColorPicture& picture() const { return picture_; }
  const ColorLayout& layout() const { return layout_; }
  Array<std::uint8_t>& plane(std::size_t component) { return planes_[plane_of_[component]]; }

 private:
  ColorPicture picture_;
  ColorLayout layout_ = {};
  std::array<std::size_t, 3> plane_of_ = {};
  std::array<Array<std::uint8_t>, 3> planes_;
};

inline constexpr int kLargestColorWidth = 1 << 16;

}  // namespace cltrack
