// SPDX-License-Identifier: LGPL-2.1-or-later
// The best candidates of each target of a scan.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/ferns/scan.h"

namespace cltrack {

// Keeps the `count` candidates with the highest score, best first, ties by rising window index.
void select_best(std::vector<Candidate>& candidates, std::size_t count);

inline constexpr std::size_t kMaxBest = 1000;

// The best windows wherever they are needed. Job j's begin at j times the number that was asked
// for: count[j] of them, and behind them, up to that number, windows of index UINT32_MAX, score 0
// and an empty box.
struct BestWindows {
  Array<Candidate> windows;
  Array<BoundingBox> boxes;
  Array<std::uint32_t> count;  // one for each job
};

// The same wherever the queue works, for each job's candidates whose score is at least its
// ScanJob::least_score. `count` is from 1 to kMaxBest. Takes a time that grows with the number of a
// job's candidates: one work-group reads them, several times where more than 1024 have that score.
// Does not wait. Throws Error.
void select_best(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                 std::size_t count, BestWindows& best);

}  // namespace cltrack
