// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow_pyramid.h"

#include "compute/launch.h"

namespace cltrack {

void build_flow_pyramid(Queue& queue, Plane& src, int levels, int largest_window, FlowPyramid& dst,
                        FlowBody body) {
  if (queue.is_host()) {
    build_flow_pyramid(src.host_view(), levels, largest_window, dst);
    return;
  }
  dst.reshape(flow_pyramid_shape(src.width(), src.height(), levels, largest_window));
  if (body == FlowBody::by_device) {
    body = queue.device().is_cpu() ? FlowBody::vectors : FlowBody::groups;
  }
  const bool by_rows = body == FlowBody::vectors;
  const char* const options = by_rows ? "-DSTRIP=128" : "-DSTRIP=1";
  const auto range = [&](int width, int height) {
    return by_rows ? global(height) : global(width, height);
  };
  const WorkSize group = by_rows ? local(1) : local(32, 4);
  launch(queue, {"flow_pyramid", "flow_first", options},
         range((src.width() + 1) / 2, (src.height() + 1) / 2), group, in(src.pixels), src.layout,
         out(dst.pixels), dst.levels);
  for (int level = 2; level <= dst.levels.top; ++level) {
    const PlaneLayout& to = dst.levels.levels[level];
    launch(queue, {"flow_pyramid", "flow_next", options}, range(to.width, to.height), group,
           inout(dst.pixels), dst.levels, cl_int{level});
  }
}

}  // namespace cltrack
