// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>

#include "compute/launch.h"
#include "ops/flow/point_flow.h"
#include "ops/flow/point_similarity.h"

namespace cltrack {
namespace {

// As kernels/parts/flow_window.cl has them; `options` must say the same.
constexpr int kItems = 128;
constexpr int kParts = 8;
const char* options(FlowBody body) {
  return body == FlowBody::vectors ? "-DITEMS=1" : "-DITEMS=128";
}

FlowBody body_for(const Device& device) {
  return device.is_cpu() ? FlowBody::vectors : FlowBody::groups;
}

}  // namespace

void point_flow(Queue& queue, FlowPyramid& from, FlowPyramid& to, Array<Point>& points,
                const FlowSettings& settings, Array<TrackedPoint>& result, FlowBody body) {
  check_point_flow(from, to, settings);
  result.resize(points.size());
  if (points.size() == 0) return;
  if (queue.is_host()) {
    point_flow_vector(from.host_view(), to.host_view(), points.host_read(), settings,
                      result.host_write().data());
    return;
  }
  if (body == FlowBody::by_device) body = body_for(queue.device());
  const bool vectors = body == FlowBody::vectors;
  const int stride = std::max(settings.window + 3, kSimilaritySide + 1);
  // Vectors of 16 pixels may begin at the last one.
  const int part = stride * stride + (vectors ? 16 : 0);
  const int items = vectors ? 1 : kItems;
  const int iterations = std::clamp(settings.iterations, 0, 100);
  const float epsilon = std::clamp(settings.epsilon, 0.0f, 10.0f);
  launch(queue, {"point_flow", "point_flow", options(body)},
         global(points.size() * static_cast<std::size_t>(items)), local(items), in(from.pixels),
         from.levels, in(to.pixels), to.levels, in(points), cl_int{settings.window},
         cl_int{iterations}, epsilon * epsilon, out(result), cl_int{stride}, cl_int{part},
         local_memory<cl_float>(static_cast<std::size_t>(6 * part)),
         local_memory<cl_long2>(static_cast<std::size_t>(items + kParts)));
}

std::vector<ProgramName> point_flow_programs(const Device& device) {
  const FlowBody body = body_for(device);
  return {{"flow_pyramid", body == FlowBody::vectors ? "-DSTRIP=128" : "-DSTRIP=1"},
          {"point_flow", options(body)}};
}

}  // namespace cltrack
