// SPDX-License-Identifier: LGPL-2.1-or-later
// Similarity of patches to those of a model (nearest neighbours).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compute/array.h"
#include "compute/device.h"
#include "kernels/kernel_types.h"
#include "ops/patches/extract_patches.h"

namespace cltrack {

// Similarity of two patches, 0 to 1.
inline float patch_similarity(const Patch& a, const Patch& b) {
  return 0.5f * (vector::ncc(a, b) + 1);
}

// Similarities as above; -1, and index -1, where the model has no such patch.
struct NearestPatches {
  float positive = -1;      // to the nearest positive
  float conservative = -1;  // to the nearest of the first `conservative` positives
  float negative = -1;      // to the nearest negative
  int positive_index = -1;  // the first one in case of a tie
  int negative_index = -1;
};

namespace reference {
NearestPatches nearest_patches(const Patch& patch, std::span<const Patch> positives,
                               std::size_t conservative, std::span<const Patch> negatives);
}
namespace vector {
NearestPatches nearest_patches(const Patch& patch, std::span<const Patch> positives,
                               std::size_t conservative, std::span<const Patch> negatives);
}

// The same for the queries of one job or more: queries.size() / jobs.size() to each, of which the
// first counts[job] are used. `patches` has the models of all jobs, jobs[job] says which part of it
// is the job's. Indices count from the first positive or negative of that model. Resizes `nearest`
// to the number of queries and leaves the unused ones unspecified. `similarities` is scratch: a row
// for each query, as long as the largest model. Does not wait, if the host knows the jobs. Throws
// Error.
void nearest_patches(Queue& queue, const Array<Patch>& queries, const Array<std::uint32_t>& counts,
                     const Array<Patch>& patches, const Array<PatchJob>& jobs,
                     Array<float>& similarities, Array<NearestPatches>& nearest);

// The options of its program.

}  // namespace cltrack
