// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/flow_pyramid.h"

#include <algorithm>

#include "compute/launch.h"

namespace cltrack {
namespace {

// As kernels/flow/flow_pyramid.cl has it.
constexpr int kTile = 2;
constexpr int kSteps = 4;
constexpr int kTileItems = 256;

constexpr int tiles(int pixels) { return (pixels + kTile - 1) / kTile; }

}  // namespace

void build_flow_pyramid(Queue& queue, const Plane& src, int levels, int largest_window,
                        FlowPyramid& dst) {
  if (queue.is_host()) {
    dst.reshape(padded_flow_pyramid_shape(src.width(), src.height(), levels, largest_window));
    build_flow_pyramid_in_parts(queue, src.host_view(), dst, dst.pixels.host_write().data());
    return;
  }
  dst.reshape(flow_pyramid_shape(src.width(), src.height(), levels, largest_window));
  const bool by_rows = queue.device().is_cpu();
  const char* const options = by_rows ? "-DSTRIP=128" : "-DSTRIP=1";
  const int columns = (src.width() + 1) / 2;
  const int rows = (src.height() + 1) / 2;
  launch(queue, {"flow_pyramid", "flow_first", options},
         by_rows ? global(rows) : global(columns, rows), by_rows ? local(1) : local(32, 4),
         in(src.pixels), src.layout, out(dst.pixels), dst.levels);
  const int levels_at_once = by_rows ? 1 : kSteps;
  for (int level = 2; level <= dst.levels.top; level += levels_at_once) {
    const int count = std::min(levels_at_once, dst.levels.top - level + 1);
    const PlaneLayout& to = dst.levels.levels[level + count - 1];
    if (by_rows) {
      launch(queue, {"flow_pyramid", "flow_next", options}, global(to.height), local(1),
             inout(dst.pixels), dst.levels, cl_int{level});
    } else {
      launch(queue, {"flow_pyramid", "flow_tiles", options},
             global(tiles(to.width) * kTileItems, tiles(to.height)), local(kTileItems, 1),
             inout(dst.pixels), dst.levels, cl_int{level}, cl_int{count});
    }
  }
}

}  // namespace cltrack
