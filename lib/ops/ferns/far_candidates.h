// SPDX-License-Identifier: LGPL-2.1-or-later
// What the ferns may learn from a scan: the candidates that are far from where the target is.
#pragma once

#include <cstdint>
#include <span>

#include "ops/ferns/fern_update.h"
#include "ops/ferns/scan.h"

namespace cltrack {

struct FarCandidates {
  float maximum_overlap = 0.2f;      // candidates that overlap the box less are far
  std::uint32_t negative_score = 0;  // from which on a negative is learnt
};

// For each job of `samples`, which holds the codes of its positives: their places become 0, 1, 2,
// ..., and a place follows for each candidate among the job's windows that is far from its box, by
// rising index. It becomes a sample, behind those before, or its place stays empty if it could not
// be learnt: if its score would stay under `negative_score` even if every posterior that one of the
// job's positives may raise became 1. Counts are those of all samples and places of the job. Its
// room must be that of all its candidates; of all its windows, unless the host does it or
// `candidates` has less room. `pairs`: pixel pairs of a fern. Does not wait. Throws Error.
void far_candidates(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                    int pairs, const FarCandidates& which, FernSampleArrays& samples);

// Samples of a job where others have them.
struct FarSampleSpans {
  std::span<std::uint16_t> codes;  // those of positives are there
  std::span<std::uint32_t> places;
  std::uint32_t& sample_count;
  std::uint32_t& place_count;
};

// The body, of a job whose candidates these are.
void far_candidates_host(const CandidateView& candidates, const ScanWindowsView& windows, int ferns,
                         int pairs, const LearnJob& job, const FarCandidates& which,
                         const FarSampleSpans& samples);

}  // namespace cltrack
