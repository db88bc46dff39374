// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/object_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/box_sizes.h"

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

std::size_t ObjectModel::conservative_count() const {
  return static_cast<std::size_t>(
      std::ceil(conservative_share_ * static_cast<float>(positives().size())));
}

PatchSimilarity ObjectModel::similarity(const Patch& patch) const {
  return similarity(vector::nearest_patches(patch, positives(), conservative_count(), negatives()));
}

PatchSimilarity ObjectModel::similarity(const NearestPatches& nearest) const {
  return {.relative = relative_similarity(nearest.positive, nearest.negative),
          .conservative = relative_similarity(nearest.conservative, nearest.negative),
          .known_positive = nearest.positive > same_patch_,
          .known_negative = nearest.negative > same_patch_,
          .nearest = nearest};
}

void ObjectModel::touch(const PatchSimilarity& similarity) {
  ++clock_;
  const NearestPatches& nearest = similarity.nearest;
  if (nearest.positive_index >= 0) {
    positives_.used[static_cast<std::size_t>(nearest.positive_index)] = clock_;
  }
  if (nearest.negative_index >= 0) {
    negatives_.used[static_cast<std::size_t>(nearest.negative_index)] = clock_;
  }
}

void ObjectModel::learn(const Patch& positive, std::span<const PatchSimilarity> negatives,
                        const std::function<const Patch&(std::size_t)>& patch_of,
                        float nn_threshold, Random& random) {
  ++clock_;
  bool forgotten = false;  // a patch, which may have been the nearest of some
  const PatchSimilarity known = similarity(positive);
  const bool learns_positive = known.relative <= nn_threshold;
  if (learns_positive) {
    // Behind its nearest one; index -1 is the front of an empty list.
    const auto place = static_cast<std::size_t>(known.nearest.positive_index + 1);
    forgotten = positives_.insert(place, positive, clock_, 1);
  }

  std::vector<const Patch*> learnt;  // negatives, on this frame
  const auto is_like_target = [&](std::size_t i) {
    if (forgotten) return similarity(patch_of(i)).relative > 0.5f;
    float nearest_positive = negatives[i].nearest.positive;
    float nearest_negative = negatives[i].nearest.negative;
    if (learns_positive) {
      nearest_positive = std::max(nearest_positive, patch_similarity(patch_of(i), positive));
    }
    // Those learnt before it can only make it less like the target: mostly it need not be seen.
    if (relative_similarity(nearest_positive, nearest_negative) <= 0.5f) return false;
    for (const Patch* other : learnt) {
      nearest_negative = std::max(nearest_negative, patch_similarity(patch_of(i), *other));
    }
    return relative_similarity(nearest_positive, nearest_negative) > 0.5f;
  };
  std::vector<std::size_t> order(negatives.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  random.shuffle(order);
  for (const std::size_t i : order) {
    if (!is_like_target(i)) continue;
    const Patch& patch = patch_of(i);
    forgotten = negatives_.insert(negatives_.patches.size(), patch, clock_, 0) || forgotten;
    learnt.push_back(&patch);
  }
}

void ObjectModel::learn_patches(const Patch& positive, std::span<const Patch> negatives,
                                float nn_threshold, Random& random) {
  std::vector<PatchSimilarity> seen;
  for (const Patch& patch : negatives) seen.push_back(similarity(patch));
  const auto patch_of = [&](std::size_t i) -> const Patch& { return negatives[i]; };
  learn(positive, seen, patch_of, nn_threshold, random);
}

void ObjectModel::restore(std::span<const Patch> positives, std::span<const Patch> negatives) {
  const auto replace = [](List& list, std::span<const Patch> patches) {
    list.patches.assign(patches.begin(), patches.end());
    list.used.assign(patches.size(), 0);
    ++list.version;
  };
  replace(positives_, positives);
  replace(negatives_, negatives);
}

bool ObjectModel::List::insert(std::size_t place, const Patch& patch, std::uint64_t now,
                               std::size_t pinned) {
  ++version;
  patches.insert(patches.begin() + static_cast<std::ptrdiff_t>(place), patch);
  used.insert(used.begin() + static_cast<std::ptrdiff_t>(place), now);
  if (patches.size() <= cap || patches.size() <= pinned) return false;
  const auto oldest =
      std::min_element(used.begin() + static_cast<std::ptrdiff_t>(pinned), used.end());
  patches.erase(patches.begin() + (oldest - used.begin()));
  used.erase(oldest);
  return true;
}

namespace {

constexpr float kFineGridStep = 0.05f;  // the first one, where no window is far from the next
constexpr float kFinestStep = 0.025f;

// The neighbours of a box: a step to each side, a step larger and a step smaller.
enum class Move { right, left, down, up, larger, smaller };
constexpr std::array kMoves = {Move::right, Move::left,   Move::down,
                               Move::up,    Move::larger, Move::smaller};

BoundingBox moved(BoundingBox box, Move move, float step) {
  switch (move) {
    case Move::right:
      box.x += step * box.width;
      break;
    case Move::left:
      box.x -= step * box.width;
      break;
    case Move::down:
      box.y += step * box.height;
      break;
    case Move::up:
      box.y -= step * box.height;
      break;
    case Move::larger:
      return scaled(box, 1 + 2 * step);
    case Move::smaller:
      return scaled(box, 1 / (1 + 2 * step));
  }
  return box;
}

// The first of the steps, each half the one before, that together reach half way to the next
// window.
float first_step(float shift) {
  float step = kFineGridStep;
  while (2 * step - kFinestStep < 0.5f * shift) step *= 2;
  return step;
}

bool inside(const BoundingBox& box, const Plane& image) {
  return box.x >= 0 && box.y >= 0 && box.right() <= static_cast<float>(image.width()) &&
         box.bottom() <= static_cast<float>(image.height());
}

}  // namespace

std::vector<Detection*> promising(std::vector<Detection>& detections, float nn_threshold,
                                  const TldConfig& config) {
  std::vector<Detection*> best;
  for (Detection& detection : detections) {
    if (detection.counts && detection.similarity.relative > nn_threshold - config.refine_margin) {
      best.push_back(&detection);
    }
  }
  // Stable: of equals the one with the better fern score, which comes first, stays first.
  std::stable_sort(best.begin(), best.end(), [](const Detection* a, const Detection* b) {
    return a->similarity.relative > b->similarity.relative;
  });
  best.resize(std::min(best.size(), static_cast<std::size_t>(config.refined_detections)));
  return best;
}

void refine(Detection& detection, const Plane& luma, const ObjectModel& model, float shift) {
  const auto look_at = [&](const BoundingBox& box) {
    if (!inside(box, luma)) return;
    const PatchSimilarity similarity = model.similarity(extract_patch(luma, box));
    if (similarity.relative <= detection.similarity.relative) return;
    detection.box = box;
    detection.similarity = similarity;
  };
  // Far from the target, no single direction may be better than none: all around are looked at.
  float step = first_step(shift);
  for (; step > kFineGridStep; step /= 2) {
    const BoundingBox from = detection.box;
    for (const float down : {-step, 0.0f, step}) {
      for (const float right : {-step, 0.0f, step}) {
        look_at(
            {from.x + right * from.width, from.y + down * from.height, from.width, from.height});
      }
    }
  }
  for (; step >= kFinestStep; step /= 2) {
    for (const Move move : kMoves) look_at(moved(detection.box, move, step));
  }
}

}  // namespace cltrack
