// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_planes.h"

#include <algorithm>
#include <string>

#include "cltrack/error.h"

namespace cltrack {
namespace {

// First and last byte of a component, relative to its data.
struct Extent {
  const std::uint8_t* begin;
  const std::uint8_t* end;
};

Extent extent_of(const ColorPicture& picture, const ColorComponent& component) {
  const std::ptrdiff_t rows = (picture.height - 1) >> component.shift_y;
  const std::ptrdiff_t columns = (picture.width - 1) >> component.shift_x;
  const std::uint8_t* last_row = component.data + rows * component.stride;
  return {std::min(component.data, last_row),
          std::max(component.data, last_row) + columns * component.step + 1};
}

}  // namespace

void ColorPlanes::borrow(const ColorPicture& picture) {
  if (picture.empty() || picture.width > kLargestColorWidth) {
    throw Error(ErrorCode::invalid_argument,
                "a picture of " + std::to_string(picture.width) + "x" +
                    std::to_string(picture.height) +
                    " pixels: must be in colour, not empty, and at most 65536 pixels wide");
  }
  picture_ = picture;
  layout_ = {};
  layout_.width = picture.width;
  layout_.height = picture.height;
  std::array<Extent, 3> planes{};
  std::size_t count = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const Extent extent = extent_of(picture, picture.components[c]);
    // Interleaved components overlap.
    std::size_t plane = 0;
    while (plane < count &&
           (extent.begin >= planes[plane].end || extent.end <= planes[plane].begin)) {
      ++plane;
    }
    if (plane == count) {
      planes[count++] = extent;
    } else {
      planes[plane] = {std::min(planes[plane].begin, extent.begin),
                       std::max(planes[plane].end, extent.end)};
    }
    plane_of_[c] = plane;
  }
  for (std::size_t plane = 0; plane < count; ++plane) {
    planes_[plane].borrow({planes[plane].begin, planes[plane].end});
  }
  for (std::size_t c = 0; c < 3; ++c) {
    const ColorComponent& component = picture.components[c];
    layout_.components[c] = {.offset = component.data - planes[plane_of_[c]].begin,
                             .stride = component.stride,
                             .step = component.step,
                             .shift_x = component.shift_x,
                             .shift_y = component.shift_y,
                             .unused = 0};
  }
}

void ColorPlanes::release() {
  for (Array<std::uint8_t>& plane : planes_) plane.release();
  picture_ = {};
}

}  // namespace cltrack
