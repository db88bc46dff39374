// SPDX-License-Identifier: LGPL-2.1-or-later
// The best candidates of each target of a scan.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/ferns/scan.h"

namespace cltrack {

inline constexpr std::size_t kMaxBest = CLTRACK_MAX_BEST;

// The best windows on any device. Those of job j begin at entry j * `count`, as given to
// select_best(). The job has count[j] of them; the rest of its entries have index UINT32_MAX, score
// 0 and an empty box.
struct BestWindows {
  Array<Candidate> windows;
  Array<BoundingBox> boxes;
  Array<std::uint32_t> count;  // one for each job
};

// Selects the `count` candidates of each job with the highest score, best first, ties by rising
// window index, among those whose score is at least its ScanJob::least_score. `count` is from 1 to
// kMaxBest. The time grows with the number of a job's candidates: one work-group reads them all,
// several times where more than CLTRACK_SELECT_KEYS have that score. Does not wait. Throws Error.
void select_best(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                 std::size_t count, BestWindows& best);

namespace reference {
// Keeps the best `count` of these, in that order.
void select_best(std::vector<Candidate>& candidates, std::size_t count);
}  // namespace reference

}  // namespace cltrack
