// SPDX-License-Identifier: LGPL-2.1-or-later
// What the ferns may learn from a scan: the candidates that are far from where the target is.
#pragma once

#include <cstdint>
#include <span>

#include "cltrack/bounding_box.h"
#include "ops/ferns/fern_update.h"
#include "ops/ferns/scan.h"

namespace cltrack {

struct FarCandidates {
  float maximum_overlap = 0.2f;      // candidates that overlap the box less are far
  std::uint32_t negative_score = 0;  // from which on a negative is learnt
};

// `samples` holds the codes of its positives. Their places become 0, 1, 2, ..., and a place follows
// for each candidate that is far from `box`, by rising index. It becomes a sample, behind those
// before, or its place stays empty if it could not be learnt: if its score would stay under
// `negative_score` even if every posterior that one of the positives may raise became 1. Counts are
// those of all samples and places. There must be room for as many negatives as `candidates` has
// room. `pairs`: pixel pairs of a fern. Does not wait. Throws Error.
void far_candidates(Queue& queue, CandidateArrays& candidates, ScanWindows& windows, int pairs,
                    const BoundingBox& box, const FarCandidates& which, FernSampleArrays& samples);

// The body. Threads that scan make a list each: `lists` are of rising windows, one after the other.
void far_candidates_host(std::span<const CandidateView> lists, ScanWindows& windows, int pairs,
                         const BoundingBox& box, const FarCandidates& which,
                         FernSampleArrays& samples);

}  // namespace cltrack
