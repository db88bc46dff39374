// SPDX-License-Identifier: LGPL-2.1-or-later
// Negative samples for the ferns: the candidates of a scan that are far from the target.
#pragma once

#include <cstdint>
#include <span>

#include "ops/ferns/fern_tables.h"
#include "ops/ferns/scan.h"

namespace cltrack {

struct FarCandidates {
  float maximum_overlap = 0.2f;      // candidates that overlap the box less are far
  std::uint32_t negative_score = 0;  // a negative is learnt if its score is at least this
};

// `samples` has the codes of each job's positives, which get the places 0, 1, 2, ... Each candidate
// among the job's windows that is far from its box gets the next place, by rising index. It becomes
// a sample if its score, plus 1 for each of its leaves that a positive of the job has too, reaches
// `negative_score`: others cannot be learnt in this frame, and their places are empty. Counts
// include the positives and, of places, the empty ones.
//
// A job needs room for all its candidates (BestWindows::found); on a device, where nobody waits to
// count them, those without are left out. `pairs`: pixel pairs of a fern. Does not wait. Throws
// Error; Error{invalid_argument} on the host if a job lacks room.
void far_candidates(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                    int pairs, const FarCandidates& which, FernSampleArrays& samples);

// The samples of a job.
struct FarSampleSpans {
  std::span<std::uint16_t> codes;  // has those of the positives
  std::span<std::uint32_t> places;
  std::uint32_t& sample_count;
  std::uint32_t& place_count;
};

namespace reference {
// The far ones of one job, which has these candidates.
void far_candidates(const CandidateView& candidates, const ScanWindowsView& windows, int ferns,
                    int pairs, const LearnJob& job, const FarCandidates& which,
                    const FarSampleSpans& samples);
}  // namespace reference

}  // namespace cltrack
