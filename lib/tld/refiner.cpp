// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/refiner.h"

#include <algorithm>
#include <array>

namespace cltrack {
namespace {

constexpr float kUsualStep = 0.05f;  // the first one, in a grid as fine as usual
constexpr float kFinestStep = 0.025f;

// The neighbours of a box: a step to each side, a step larger and a step smaller.
enum class Move { right, left, down, up, larger, smaller };
constexpr std::array kMoves = {Move::right, Move::left,   Move::down,
                               Move::up,    Move::larger, Move::smaller};

BoundingBox scaled(const BoundingBox& box, float factor) {
  return {box.center_x() - 0.5f * factor * box.width, box.center_y() - 0.5f * factor * box.height,
          factor * box.width, factor * box.height};
}

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
  float step = kUsualStep;
  while (2 * step - kFinestStep < 0.5f * shift) step *= 2;
  return step;
}

bool inside(const BoundingBox& box, const ImageView& image) {
  return box.x >= 0 && box.y >= 0 && box.right() <= static_cast<float>(image.width) &&
         box.bottom() <= static_cast<float>(image.height);
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

void refine(Detection& detection, const ImageView& luma, const ObjectModel& model, float shift) {
  const auto look_at = [&](const BoundingBox& box) {
    if (!inside(box, luma)) return;
    const Similarity similarity = model.similarity(vector::extract_patch(luma, box));
    if (similarity.relative <= detection.similarity.relative) return;
    detection.box = box;
    detection.similarity = similarity;
  };
  // Far from the target, no single direction may be better than none: all around are looked at.
  float step = first_step(shift);
  for (; step > kUsualStep; step /= 2) {
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
