// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target_view.h"

#include <algorithm>

#include "ops/patches/extract_patches.h"

namespace cltrack {
namespace {

// The value that is known of the box, or that `make` returns.
template <typename Known, typename Make>
const auto& once_for(const BoundingBox& box, Known& known, const Make& make) {
  const auto found = std::ranges::find(known, box, &Known::value_type::first);
  return found != known.end() ? found->second : known.emplace_back(box, make()).second;
}

}  // namespace

void TargetView::begin_frame(const FramePlanes& planes,
                             std::optional<std::vector<Detection>> detections,
                             std::optional<NetworkFindings> findings) {
  planes_ = &planes;
  findings_ = std::move(findings);
  has_scan_ = detections.has_value();
  detections_ = std::move(detections).value_or(std::vector<Detection>());
  patches_.clear();
  appearances_.clear();
}

std::vector<ScoredBox> TargetView::detections_above(float relative) const {
  std::vector<ScoredBox> accepted;
  for (const Detection& detection : detections_) {
    if (detection.counts && detection.similarity.relative > relative) {
      accepted.push_back({detection.box, detection.similarity.conservative});
    }
  }
  return accepted;
}

int TargetView::support(const BoundingBox& box) const {
  return static_cast<int>(std::ranges::count_if(detections_, [&](const Detection& found) {
    return overlap(box, found.box) > config_.jump_overlap;
  }));
}

const Patch& TargetView::patch(const BoundingBox& box) {
  return once_for(box, patches_, [&] { return extract_patch(luma(), box); });
}

const std::optional<Appearance>& TargetView::appearance(const BoundingBox& box) {
  return once_for(box, appearances_, [&] { return Appearance::of(planes_->picture_of(box), box); });
}

PatchSimilarity TargetView::similarity(const BoundingBox& box) {
  return model_.patches.similarity(patch(box));
}

bool TargetView::may_learn(const BoundingBox& box, bool is_placed) {
  if (!is_inside(box, config_.learn_inside)) return false;
  if (patch(box).variance() < model_.minimum_variance) return false;
  if (is_placed) return true;
  const PatchSimilarity found = similarity(box);
  return found.relative >= 0.5f && found.conservative >= config_.learn_conservative &&
         !found.known_negative;
}

}  // namespace cltrack
