// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/object_model.h"

#include <algorithm>
#include <cmath>

#include "ops/nearest_patches.h"

namespace cltrack {
namespace {

// dN / (dN + dP); -1 stands for "no such patches".
float relative_similarity(float nearest_positive, float nearest_negative) {
  if (nearest_positive < 0) return 0;
  if (nearest_negative < 0) return 1;
  const float to_positive = 1 - nearest_positive;
  const float to_negative = 1 - nearest_negative;
  const float both = to_positive + to_negative;
  return both > 0 ? to_negative / both : 0.5f;
}

}  // namespace

ObjectModel::ObjectModel(const TldConfig& config)
    : same_patch_(config.same_patch_ncc), conservative_share_(config.conservative_share) {
  positives_.cap = static_cast<std::size_t>(config.max_positive_patches);
  negatives_.cap = static_cast<std::size_t>(config.max_negative_patches);
}

Similarity ObjectModel::similarity(const Patch& patch) const {
  const auto conservative = static_cast<std::size_t>(
      std::ceil(conservative_share_ * static_cast<float>(positives().size())));
  const NearestPatches nearest = nearest_patches(patch, positives(), conservative, negatives());
  return {.relative = relative_similarity(nearest.positive, nearest.negative),
          .conservative = relative_similarity(nearest.conservative, nearest.negative),
          .known_positive = nearest.positive > same_patch_,
          .known_negative = nearest.negative > same_patch_,
          .nearest_positive = nearest.positive_index,
          .nearest_negative = nearest.negative_index};
}

void ObjectModel::touch(const Similarity& similarity) {
  ++clock_;
  if (similarity.nearest_positive >= 0) {
    positives_.used[static_cast<std::size_t>(similarity.nearest_positive)] = clock_;
  }
  if (similarity.nearest_negative >= 0) {
    negatives_.used[static_cast<std::size_t>(similarity.nearest_negative)] = clock_;
  }
}

void ObjectModel::learn(const Patch& positive, std::span<const Patch> negatives, float nn_threshold,
                        Random& random) {
  ++clock_;
  const auto show_positive = [&] {
    const Similarity seen = similarity(positive);
    if (seen.relative > nn_threshold) return;
    // Behind its nearest one; index -1 is the front of an empty list.
    positives_.insert(static_cast<std::size_t>(seen.nearest_positive + 1), positive, clock_, 1);
  };
  show_positive();
  std::vector<std::size_t> order(negatives.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  random.shuffle(order);
  for (const std::size_t i : order) {
    if (similarity(negatives[i]).relative > 0.5f) {
      negatives_.insert(negatives_.patches.size(), negatives[i], clock_, 0);
    }
  }
}

void ObjectModel::List::insert(std::size_t place, const Patch& patch, std::uint64_t now,
                               std::size_t pinned) {
  patches.insert(patches.begin() + static_cast<std::ptrdiff_t>(place), patch);
  used.insert(used.begin() + static_cast<std::ptrdiff_t>(place), now);
  if (patches.size() <= cap || patches.size() <= pinned) return;
  const auto oldest =
      std::min_element(used.begin() + static_cast<std::ptrdiff_t>(pinned), used.end());
  patches.erase(patches.begin() + (oldest - used.begin()));
  used.erase(oldest);
}

}  // namespace cltrack
