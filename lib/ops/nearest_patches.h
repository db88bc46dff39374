// SPDX-License-Identifier: LGPL-2.1-or-later
// How similar a patch is to what has been learnt.
#pragma once

#include <span>

#include "ops/patch.h"

namespace cltrack {

// Similarities are (ncc + 1) / 2, 0 to 1; -1 and index -1 where there is nothing to compare with.
struct NearestPatches {
  float positive = -1;      // to the nearest positive
  float conservative = -1;  // to the nearest of the first `conservative` positives
  float negative = -1;      // to the nearest negative
  int positive_index = -1;  // the first one in case of a tie
  int negative_index = -1;
};

NearestPatches nearest_patches(const Patch& patch, std::span<const Patch> positives,
                               std::size_t conservative, std::span<const Patch> negatives);

}  // namespace cltrack
