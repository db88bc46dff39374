// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/select_best.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"

namespace cltrack {

void reference::select_best(std::vector<Candidate>& candidates, std::size_t count) {
  const auto better = [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.window < b.window;
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(count, candidates.size()));
  std::partial_sort(candidates.begin(), candidates.begin() + kept, candidates.end(), better);
  candidates.resize(static_cast<std::size_t>(kept));
}

namespace {

// kernels/ferns/select_best.cl: keys that differ in the last digit alone must fit, too.
static_assert(CLTRACK_SELECT_KEYS >= kMaxBest + 4);

void select_on_host(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                    std::size_t count, BestWindows& best) {
  const std::span<const Candidate> all = candidates.host_view().windows;
  const ScanWindowsView view = windows.host_view();
  const std::span<Candidate> chosen = best.windows.host_write();
  const std::span<BoundingBox> boxes = best.boxes.host_write();
  const std::span<std::uint32_t> counts = best.count.host_write();
  queue.run(static_cast<int>(view.jobs.size()), [&](int index) {
    const auto j = static_cast<std::size_t>(index);
    const ScanJob& job = view.jobs[j];
    std::vector<Candidate> list;
    for (auto own = std::ranges::lower_bound(all, job.first, {}, &Candidate::window);
         own != all.end() && own->window - job.first < job.count; ++own) {
      if (own->score >= job.least_score) list.push_back(*own);
    }
    reference::select_best(list, count);
    counts[j] = static_cast<std::uint32_t>(list.size());
    for (std::size_t i = 0; i < count; ++i) {
      const bool used = i < list.size();
      chosen[j * count + i] = used ? list[i] : Candidate{UINT32_MAX, 0};
      boxes[j * count + i] = used ? view.box(list[i].window) : BoundingBox{};
    }
  });
}

}  // namespace

void select_best(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                 std::size_t count, BestWindows& best) {
  if (count < 1 || count > kMaxBest) {
    throw Error(ErrorCode::invalid_argument, "the best " + std::to_string(count) +
                                                 " windows: must be from 1 to " +
                                                 std::to_string(kMaxBest));
  }
  const std::size_t jobs = windows.jobs.size();
  best.windows.resize(jobs * count);
  best.boxes.resize(jobs * count);
  best.count.resize(jobs);
  if (queue.is_host()) {
    select_on_host(queue, candidates, windows, count, best);
    return;
  }
  const int wanted = static_cast<int>(count);
  if (queue.device().is_cpu()) {
    launch(queue, {"select_best_cpu", "select_best"}, global(jobs), local(1),
           in(candidates.windows), in(candidates.count), in(windows.jobs), static_cast<int>(jobs),
           wanted, in(windows.sizes), in(windows.edges), out(best.windows), out(best.boxes),
           out(best.count));
    return;
  }
  const KernelName name = {"select_best", "select_best"};
  const std::uint64_t items = items_of_group(queue, name, 2, CLTRACK_SELECT_KEYS);
  launch(queue, name, global(jobs * items), local(items), in(candidates.windows),
         in(candidates.count), in(windows.jobs), wanted, in(windows.sizes), in(windows.edges),
         out(best.windows), out(best.boxes), out(best.count));
}

}  // namespace cltrack
