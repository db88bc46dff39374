// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/far_candidates.h"

#include "cltrack/error.h"
#include "compute/launch.h"

namespace cltrack {
namespace {

constexpr int kMarkItems = 256;
constexpr int kMarkGroups = 128;
constexpr int kMarkGroupsOfCpu = 8;

}  // namespace

void far_candidates(Queue& queue, CandidateArrays& candidates, ScanWindows& windows, int pairs,
                    const BoundingBox& box, const FarCandidates& which, FernSampleArrays& samples) {
  const std::size_t most = samples.positives + candidates.windows.size();
  const auto ferns = static_cast<std::size_t>(samples.ferns);
  if (samples.places.size() < most || samples.codes.size() < most * ferns) {
    throw Error(ErrorCode::invalid_argument,
                "far_candidates: no room for " + std::to_string(most) + " samples");
  }
  if (queue.is_host()) {
    const CandidateView list = candidates.host_view();
    far_candidates_host({&list, 1}, windows, pairs, box, which, samples);
    return;
  }
  samples.marks.resize(candidates.windows.size());
  const Device& device = queue.device();
  const int mark_items = device.is_cpu() ? 1 : kMarkItems;
  const int mark_groups = device.is_cpu() ? kMarkGroupsOfCpu : kMarkGroups;
  const int positives = static_cast<int>(samples.positives);
  samples.mark_counts.resize(2 * static_cast<std::size_t>(mark_groups));
  launch(queue, {"far_candidates", "mark_far"}, global(mark_items * mark_groups), local(mark_items),
         in(candidates.windows), in(candidates.codes), in(candidates.count), in(windows.sizes),
         static_cast<int>(windows.sizes.size()), in(windows.edges), box, which.maximum_overlap,
         samples.ferns, pairs, which.negative_score, positives, in(samples.codes),
         out(samples.marks), out(samples.mark_counts));
  if (device.is_cpu()) {
    launch(queue, {"far_places_serial", "place_far_serially"}, global(1), local(1),
           in(samples.marks), in(candidates.codes), in(candidates.count), samples.ferns, positives,
           inout(samples.codes), out(samples.places), out(samples.sample_count),
           out(samples.place_count));
    return;
  }
  launch(queue, {"far_places", "place_far"}, global(mark_items * mark_groups), local(mark_items),
         in(samples.marks), in(samples.mark_counts), in(candidates.codes), in(candidates.count),
         samples.ferns, positives, inout(samples.codes), out(samples.places),
         out(samples.sample_count), out(samples.place_count));
}

}  // namespace cltrack
