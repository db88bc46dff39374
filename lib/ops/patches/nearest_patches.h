// SPDX-License-Identifier: LGPL-2.1-or-later
// How similar a patch is to what has been learnt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compute/array.h"
#include "kernels/kernel_types.h"
#include "ops/patches/patch.h"

namespace cltrack {

// Similarity of two patches, 0 to 1.
inline float patch_similarity(const Patch& a, const Patch& b) {
  return 0.5f * (ncc_vector(a, b) + 1);
}

// Similarities are those above, -1 and index -1 where there is nothing to compare with.
struct NearestPatches {
  float positive = -1;      // to the nearest positive
  float conservative = -1;  // to the nearest of the first `conservative` positives
  float negative = -1;      // to the nearest negative
  int positive_index = -1;  // the first one in case of a tie
  int negative_index = -1;
};

NearestPatches nearest_patches(const Patch& patch, std::span<const Patch> positives,
                               std::size_t conservative, std::span<const Patch> negatives);

// The same for queries of one job or more, wherever the queue works: queries.size() / jobs.size()
// to each, of which the first counts[job] are used. `patches` are the models of all of them, and
// jobs[job] says where its own lies. Indexes count from the first positive or negative of that.
// Resizes `nearest` to the number of queries and leaves the others unspecified. `similarities` is
// scratch, as large as if all models were as large as the largest. Does not wait, if the host knows
// the jobs. Throws Error.
void nearest_patches(Queue& queue, const Array<Patch>& queries, const Array<std::uint32_t>& counts,
                     const Array<Patch>& patches, const Array<PatchJob>& jobs,
                     Array<float>& similarities, Array<NearestPatches>& nearest);

}  // namespace cltrack
