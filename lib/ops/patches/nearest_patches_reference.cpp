// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>

#include "ops/patches/nearest_patches.h"

namespace cltrack {
namespace {

struct Nearest {
  float similarity = -1;
  int index = -1;
};

Nearest nearest_of(const Patch& patch, std::span<const Patch> others) {
  Nearest nearest;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const float similarity = 0.5f * (reference::ncc(patch, others[i]) + 1);
    if (similarity > nearest.similarity) nearest = {similarity, static_cast<int>(i)};
  }
  return nearest;
}

}  // namespace

NearestPatches reference::nearest_patches(const Patch& patch, std::span<const Patch> positives,
                                          std::size_t conservative,
                                          std::span<const Patch> negatives) {
  const Nearest positive = nearest_of(patch, positives);
  const Nearest early =
      nearest_of(patch, positives.first(std::min(conservative, positives.size())));
  const Nearest negative = nearest_of(patch, negatives);
  return {positive.similarity, early.similarity, negative.similarity, positive.index,
          negative.index};
}

}  // namespace cltrack
