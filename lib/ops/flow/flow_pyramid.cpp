// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/flow_pyramid.h"

#include <algorithm>
#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"

namespace cltrack {
namespace {

constexpr int kTileItems = 256;

constexpr int tiles(int pixels) { return (pixels + CLTRACK_FLOW_TILE - 1) / CLTRACK_FLOW_TILE; }

FlowPyramidShape make_shape(int width, int height, int levels, int largest_window, int padding) {
  if (width <= 0 || height <= 0) {
    throw Error(ErrorCode::invalid_argument, "flow pyramid of an empty picture");
  }
  if (levels < 0 || levels >= CLTRACK_MAX_FLOW_LEVELS) {
    throw Error(ErrorCode::invalid_argument, "flow pyramid: " + std::to_string(levels) +
                                                 " levels above the first, allowed are 0 to " +
                                                 std::to_string(CLTRACK_MAX_FLOW_LEVELS - 1));
  }
  if (largest_window < 3) {
    throw Error(ErrorCode::invalid_argument, "flow pyramid: window of " +
                                                 std::to_string(largest_window) +
                                                 " pixels, allowed are 3 and more");
  }
  FlowPyramidShape shape;
  shape.largest_window = largest_window;
  shape.padding = padding;
  std::int32_t end = 0;
  for (int level = 0;; ++level) {
    const std::int32_t stride = width + 2 * padding;
    shape.levels.levels[level] = {width, height, stride, end + padding * stride + padding};
    shape.levels.top = level;
    end += stride * (height + 2 * padding);
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    if (level == levels || width <= largest_window || height <= largest_window) return shape;
  }
}

}  // namespace

std::size_t FlowPyramidShape::bytes() const {
  const PlaneLayout& last = levels.levels[levels.top];
  return static_cast<std::size_t>(last.offset) +
         static_cast<std::size_t>(last.stride) *
             static_cast<std::size_t>(last.height - 1 + padding) +
         static_cast<std::size_t>(last.width + padding);
}

void FlowPyramid::reshape(const FlowPyramidShape& shape) {
  static_cast<FlowPyramidShape&>(*this) = shape;
  pixels.resize(bytes());
}

FlowPyramidShape flow_pyramid_shape(int width, int height, int levels, int largest_window) {
  return make_shape(width, height, levels, largest_window, 0);
}

FlowPyramidShape padded_flow_pyramid_shape(int width, int height, int levels, int largest_window) {
  return make_shape(
      width, height, levels, largest_window,
      largest_window < kSmallestFlowPadding ? kSmallestFlowPadding : 2 * kSmallestFlowPadding);
}

void build_flow_pyramid(Queue& queue, const Plane& src, int levels, int largest_window,
                        FlowPyramid& dst) {
  if (queue.is_host()) {
    dst.reshape(padded_flow_pyramid_shape(src.width(), src.height(), levels, largest_window));
    vector::build_flow_pyramid(queue, src.host_view(), dst, dst.pixels.host_write().data());
    return;
  }
  dst.reshape(flow_pyramid_shape(src.width(), src.height(), levels, largest_window));
  const int columns = (src.width() + 1) / 2;
  const int rows = (src.height() + 1) / 2;
  if (queue.device().is_cpu()) {
    launch(queue, {"flow_pyramid_cpu", "flow_first"}, global(rows), local(1), in(src.pixels),
           src.layout, out(dst.pixels), dst.levels);
    for (int level = 2; level <= dst.levels.top; ++level) {
      launch(queue, {"flow_pyramid_cpu", "flow_next"}, global(dst.levels.levels[level].height),
             local(1), inout(dst.pixels), dst.levels, cl_int{level});
    }
    return;
  }
  launch(queue, {"flow_pyramid", "flow_first"}, global(columns, rows), local(32, 4), in(src.pixels),
         src.layout, out(dst.pixels), dst.levels);
  for (int level = 2; level <= dst.levels.top; level += CLTRACK_FLOW_STEPS) {
    const int count = std::min(CLTRACK_FLOW_STEPS, dst.levels.top - level + 1);
    const PlaneLayout& to = dst.levels.levels[level + count - 1];
    launch(queue, {"flow_pyramid", "flow_tiles"},
           global(tiles(to.width) * kTileItems, tiles(to.height)), local(kTileItems, 1),
           inout(dst.pixels), dst.levels, cl_int{level}, cl_int{count});
  }
}

}  // namespace cltrack
