// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <iterator>
#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/ferns/select_best.h"

namespace cltrack {
namespace {

constexpr std::uint64_t kItems = 1024;  // at most, as kernels/ferns/select_best.cl has it

void select_on_host(CandidateArrays& candidates, ScanWindows& windows, std::uint32_t minimum_score,
                    std::size_t count, BestWindows& best) {
  const auto all = candidates.windows.host_read().first(candidates.count.host_read()[0]);
  std::vector<Candidate> list;
  std::copy_if(all.begin(), all.end(), std::back_inserter(list),
               [=](const Candidate& candidate) { return candidate.score >= minimum_score; });
  select_best(list, count);
  best.count.host_write()[0] = static_cast<std::uint32_t>(list.size());
  const auto chosen = best.windows.host_write();
  const auto boxes = best.boxes.host_write();
  for (std::size_t i = 0; i < count; ++i) {
    const bool used = i < list.size();
    chosen[i] = used ? list[i] : Candidate{UINT32_MAX, 0};
    boxes[i] = used ? windows.box(list[i].window) : BoundingBox{};
  }
}

}  // namespace

void select_best(Queue& queue, CandidateArrays& candidates, ScanWindows& windows,
                 std::uint32_t minimum_score, std::size_t count, BestWindows& best) {
  if (count < 1 || count > kMaxBest) {
    throw Error(ErrorCode::invalid_argument, "the best " + std::to_string(count) +
                                                 " windows: must be from 1 to " +
                                                 std::to_string(kMaxBest));
  }
  best.windows.resize(count);
  best.boxes.resize(count);
  best.count.resize(1);
  if (queue.is_host()) {
    select_on_host(candidates, windows, minimum_score, count, best);
    return;
  }
  const bool serial = queue.device().is_cpu();
  const KernelName name = serial ? KernelName{"select_best_serial", "select_best_serial"}
                                 : KernelName{"select_best", "select_best"};
  const std::uint64_t items = items_of_group(queue, name, 1, kItems);
  launch(queue, name, global(items), local(items), in(candidates.windows), in(candidates.count),
         minimum_score, static_cast<int>(count), in(windows.sizes),
         static_cast<int>(windows.sizes.size()), in(windows.edges), out(best.windows),
         out(best.boxes), out(best.count));
}

}  // namespace cltrack
