// SPDX-License-Identifier: LGPL-2.1-or-later
// What point_flow() tracks in: a picture at several resolutions. It is built once per picture and
// kept while the next one's is built.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cltrack/image_view.h"
#include "compute/array.h"
#include "compute/plane.h"
#include "kernels/kernel_types.h"

namespace cltrack {

struct FlowPyramidShape {
  FlowLevels levels = {};  // where they lie
  int largest_window = 0;  // as built; 0 before
  int padding = 0;         // mirrored pixels on all sides of each level; the host's vectors like it

  bool empty() const { return largest_window == 0; }
  int width() const { return levels.levels[0].width; }
  int height() const { return levels.levels[0].height; }
  std::size_t bytes() const;
};

// A picture that may be read so many pixels beyond its border.
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

// Wherever it is needed.
struct FlowPyramid : FlowPyramidShape {
  Array<std::uint8_t> pixels;  // all levels; the first one is a copy of the picture

  // Contents are unspecified.
  void reshape(const FlowPyramidShape& shape);
  // For host bodies; waits if a device has the newest contents.
  FlowPyramidView host_view() const { return {*this, pixels.host_read().data()}; }
};

// `levels` above the first, at most 8. Each has half of the size of the one before, rounded up. A
// level that is not larger than `largest_window` in both directions is left out; the first one
// never is. Throws Error{invalid_argument}.
FlowPyramidShape flow_pyramid_shape(int width, int height, int levels, int largest_window);

// The same, padded so that few windows of that size reach further.
inline constexpr int kSmallestFlowPadding = 16;
FlowPyramidShape padded_flow_pyramid_shape(int width, int height, int levels, int largest_window);

// The plain body, which leaves padding as it is, and one on vectors, which needs it and fills it.
// `pixels` has shape.bytes() bytes.
void build_flow_pyramid_host(const ImageView& src, const FlowPyramidShape& shape,
                             std::uint8_t* pixels);
void build_flow_pyramid_vector(const ImageView& src, const FlowPyramidShape& shape,
                               std::uint8_t* pixels);
// The latter in parts, by the threads of the host's queue.
void build_flow_pyramid_in_parts(Queue& queue, const ImageView& src, const FlowPyramidShape& shape,
                                 std::uint8_t* pixels);

// The latter, into memory of its own.
void build_flow_pyramid(const ImageView& src, int levels, int largest_window, FlowPyramid& dst);

// The same wherever the queue works, equal in every bit; the host does it on vectors, in parts.
// Gradients are not kept: those of some hundred windows cost less than the picture's. Does not
// wait; `src` may be given back when `queue` has been waited for. Throws Error.
void build_flow_pyramid(Queue& queue, const Plane& src, int levels, int largest_window,
                        FlowPyramid& dst);

}  // namespace cltrack
