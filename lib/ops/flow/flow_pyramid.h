// SPDX-License-Identifier: LGPL-2.1-or-later
// A picture at several resolutions, in which point_flow() tracks. It is built once for each picture
// and kept until the next picture's is built.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cltrack/image_view.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

struct FlowPyramidShape {
  FlowLevels levels = {};  // where they lie
  int largest_window = 0;  // as built; 0 before
  int padding = 0;         // mirrored pixels on all sides of each level, for the vector bodies

  bool empty() const { return largest_window == 0; }
  int width() const { return levels.levels[0].width; }
  int height() const { return levels.levels[0].height; }
  std::size_t bytes() const;
};

// A picture with readable pixels around it, `padding` on all sides.
struct PaddedView : ImageView {
  int padding = 0;
};

// In the host's memory.
struct FlowPyramidView : FlowPyramidShape {
  const std::uint8_t* pixels = nullptr;

  PaddedView level(int i) const {
    const PlaneLayout& at = levels.levels[i];
    return {{pixels + at.offset, at.width, at.height, at.stride}, padding};
  }
};

// On any device.
struct FlowPyramid : FlowPyramidShape {
  Array<std::uint8_t> pixels;  // all levels; the first one is a copy of the picture

  // Contents are unspecified.
  void reshape(const FlowPyramidShape& shape);
  // For host bodies; waits if a device has the newest contents.
  FlowPyramidView host_view() const { return {*this, pixels.host_read().data()}; }
};

// `levels` above the first, at most CLTRACK_MAX_FLOW_LEVELS - 1. Each has half of the size of the
// one before, rounded up. A level that is not larger than `largest_window` in both directions is
// left out; the first one never is. Throws Error{invalid_argument}.
FlowPyramidShape flow_pyramid_shape(int width, int height, int levels, int largest_window);

// The same, padded so that few windows of that size reach beyond the padding.
inline constexpr int kSmallestFlowPadding = 16;
FlowPyramidShape padded_flow_pyramid_shape(int width, int height, int levels, int largest_window);

// Equal in every bit on every device. The host uses the vector body, in parts. Gradients are not
// kept: those of some hundred windows cost less than the picture's. Does not wait; `src` is in use
// until `queue` has been waited for. Throws Error.
void build_flow_pyramid(Queue& queue, const Plane& src, int levels, int largest_window,
                        FlowPyramid& dst);

// `pixels` has shape.bytes() bytes.
namespace reference {  // does not write the padding
void build_flow_pyramid(const ImageView& src, const FlowPyramidShape& shape, std::uint8_t* pixels);
}
namespace vector {  // needs the padding, and fills it
void build_flow_pyramid(const ImageView& src, const FlowPyramidShape& shape, std::uint8_t* pixels);
// In parts, by the threads of the host's queue.
void build_flow_pyramid(Queue& queue, const ImageView& src, const FlowPyramidShape& shape,
                        std::uint8_t* pixels);
}  // namespace vector

}  // namespace cltrack
