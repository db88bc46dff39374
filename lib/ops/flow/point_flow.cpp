// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/flow/point_flow.h"
#include "ops/flow/point_similarity.h"
#include "ops/job_parts.h"

namespace cltrack {
namespace {

// CPUs have work-groups of one item, see kernels/parts/flow_window.cl.
const char* options(const Device& device) { return device.is_cpu() ? "-DITEMS=1" : ""; }

// Points of one part of the host's work: fewer than a target has, because it may be the only one.
constexpr std::uint32_t kPointsOfAPart = 12;

void track_on_host(Queue& queue, const FlowPyramidView& from, const FlowPyramidView& to,
                   const Array<Point>& points, std::span<const std::int32_t> windows,
                   const FlowSearch& search, std::span<TrackedPoint> result) {
  const std::span<const Point> starts = points.host_read();
  const std::size_t points_of_job = starts.size() / windows.size();
  std::vector<std::uint32_t> counts;
  for (std::size_t job = 0; job < windows.size(); ++job) {
    const bool tracks = windows[job] != 0;
    counts.push_back(tracks ? static_cast<std::uint32_t>(points_of_job) : 0);
    if (!tracks)
      std::ranges::fill(result.subspan(job * points_of_job, points_of_job), TrackedPoint());
  }
  run_job_parts(queue, counts, kPointsOfAPart,
                [&](std::size_t job, std::size_t first, std::size_t end) {
                  const std::size_t begin = job * points_of_job + first;
                  vector::point_flow(from, to, starts.subspan(begin, end - first),
                                     {windows[job], search.iterations, search.epsilon},
                                     result.data() + begin);
                });
}

}  // namespace

void check_point_flow(const FlowPyramidShape& from, const FlowPyramidShape& to, int window) {
  if (from.empty() || to.empty()) {
    throw Error(ErrorCode::invalid_argument, "point flow: both pyramids must have been built");
  }
  if (from.width() != to.width() || from.height() != to.height()) {
    throw Error(ErrorCode::invalid_argument,
                "point flow: pictures of different sizes, " + std::to_string(from.width()) + "x" +
                    std::to_string(from.height()) + " and " + std::to_string(to.width()) + "x" +
                    std::to_string(to.height()));
  }
  const int largest = std::min({from.largest_window, to.largest_window, kLargestFlowWindow});
  if (window < 3 || window > largest || window % 2 == 0) {
    throw Error(ErrorCode::invalid_argument,
                "point flow: window of " + std::to_string(window) +
                    " pixels; it must be odd, at least 3 and at most " + std::to_string(largest));
  }
}

void point_flow(Queue& queue, const FlowPyramid& from, const FlowPyramid& to,
                const Array<Point>& points, const Array<std::int32_t>& windows,
                const FlowSearch& search, Array<TrackedPoint>& result) {
  result.resize(points.size());
  if (points.size() == 0) return;
  const std::span<const std::int32_t> sides = windows.host_read();
  int largest = 3;
  for (const std::int32_t side : sides) {
    if (side != 0) check_point_flow(from, to, side);
    largest = std::max(largest, side);
  }
  if (queue.is_host()) {
    track_on_host(queue, from.host_view(), to.host_view(), points, sides, search,
                  result.host_write());
    return;
  }
  const bool vectors = queue.device().is_cpu();
  const int stride = std::max(largest + 3, kSimilaritySide + 1);
  // Vectors may begin at the last pixel.
  const int part = stride * stride + (vectors ? CLTRACK_FLOW_LANES : 0);
  const int items = vectors ? 1 : CLTRACK_FLOW_ITEMS;
  const int iterations = std::clamp(search.iterations, 0, 100);
  const float epsilon = std::clamp(search.epsilon, 0.0f, 10.0f);
  const auto points_of_job = static_cast<cl_int>(points.size() / windows.size());
  launch(queue, {"point_flow", "point_flow", options(queue.device())},
         global(points.size() * static_cast<std::size_t>(items)), local(items), in(from.pixels),
         from.levels, in(to.pixels), to.levels, in(points), points_of_job, in(windows),
         cl_int{iterations}, epsilon * epsilon, out(result),
         local_memory<cl_float>(static_cast<std::size_t>(6 * part)),
         local_memory<cl_long2>(static_cast<std::size_t>(items + CLTRACK_FLOW_PARTS)));
}

std::vector<ProgramName> point_flow_programs(const Device& device) {
  return {{device.is_cpu() ? "flow_pyramid_cpu" : "flow_pyramid", ""},
          {"point_flow", options(device)}};
}

}  // namespace cltrack
