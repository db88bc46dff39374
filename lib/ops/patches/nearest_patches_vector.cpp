// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/patches/nearest_patches.h"

namespace cltrack {

NearestPatches vector::nearest_patches(const Patch& patch, std::span<const Patch> positives,
                                       std::size_t conservative, std::span<const Patch> negatives) {
  NearestPatches nearest;
  for (std::size_t i = 0; i < positives.size(); ++i) {
    const float similarity = patch_similarity(patch, positives[i]);
    if (similarity > nearest.positive) {
      nearest.positive = similarity;
      nearest.positive_index = static_cast<int>(i);
    }
    if (i < conservative && similarity > nearest.conservative) nearest.conservative = similarity;
  }
  for (std::size_t i = 0; i < negatives.size(); ++i) {
    const float similarity = patch_similarity(patch, negatives[i]);
    if (similarity > nearest.negative) {
      nearest.negative = similarity;
      nearest.negative_index = static_cast<int>(i);
    }
  }
  return nearest;
}

}  // namespace cltrack
