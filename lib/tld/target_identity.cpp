// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target_identity.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cltrack {
namespace {

constexpr float kWhole = 0.99f;        // share of a box in the picture
constexpr float kApart = 0.1f;         // overlap, under which two boxes are of two objects
constexpr float kSurelyOther = -0.4f;  // ratio, see IdentityEvidence
constexpr std::size_t kMostDistractorsOfFrame = 8;

// The mean of about the latest five frames. Without a distractor, it is distinguished from all
// others.
void smooth(const IdentityEvidence& before, IdentityEvidence& now) {
  constexpr float kRate = 0.2f;
  now.dissimilarity = before.dissimilarity + kRate * (now.dissimilarity - before.dissimilarity);
  now.ratio = before.ratio + kRate * ((now.has_distractor ? now.ratio : 1) - before.ratio);
}

}  // namespace

void TargetIdentity::reset() {
  identity_.end_frame();
  followed_ = {};
  sure_.reset();
}

IdentityEvidence TargetIdentity::compare(const BoundingBox& box, bool is_here) {
  const std::optional<Appearance>& sample = view_.appearance(box);
  if (!sample) return {};
  IdentityEvidence evidence = identity_.compare(*sample, box);
  if (is_here && state_.is_seen()) smooth(followed_, evidence);
  return evidence;
}

bool TargetIdentity::has_switched(const IdentityEvidence& followed) {
  return state_.is_seen() && identity_.has_switched(followed);
}

void TargetIdentity::update(const StateEvidence& now, bool learning) {
  const bool is_followed = state_.is_followed_at(now);
  followed_ = now.place != nullptr ? now.place->evidence.identity : IdentityEvidence();
  sure_.reset();
  if (!identity_.has_gallery()) return;
  if (is_followed && now.presence >= config_.tracking_presence) {
    sure_ = view_.appearance(now.estimate->box);
  }
  if (!learning) return;
  if (sure_) {
    const BoundingBox& box = now.estimate->box;
    identity_.confirm(box, *sure_, now.here->evidence.identity,
                      state_.is_settled() && view_.is_inside(box, kWhole));
  } else {
    identity_.mark_ambiguous();
  }
  observe_distractors(now);
  if (!now.has_switched) return;
  if (const auto& sample = view_.appearance(now.here->box)) {
    identity_.observe_distractor(now.here->box, *sample, true);
  }
}

// Those are objects that the detector finds elsewhere. While the target is not surely here, one of
// them may be it: then only those are looked at that are known already, and look like it.
void TargetIdentity::observe_distractors(const StateEvidence& now) {
  if (!now.estimate) return;
  const BoundingBox& here = now.estimate->box;
  const bool is_seen = state_.is_seen_at(now);
  // One that is more like the target than what is followed may be it.
  const float followed = sure_ ? identity_.compare(*sure_, here).dissimilarity : 0;
  std::vector<BoundingBox> seen;
  for (const Detection& detection : view_.detections()) {
    if (seen.size() == kMostDistractorsOfFrame) break;
    const BoundingBox& box = detection.box;
    const float size = box.area() / here.area();
    if (detection.similarity.relative < view_.lost_threshold() || size < 0.5f || size > 2 ||
        (is_seen && overlap(box, here) >= kApart) ||
        std::ranges::any_of(seen,
                            [&](const auto& one) { return overlap(one, box) > 2 * kApart; })) {
      continue;
    }
    seen.push_back(box);
    const std::optional<Appearance>& sample = view_.appearance(box);
    if (!sample) continue;
    const IdentityEvidence evidence = identity_.compare(*sample, box);
    if (sure_) {
      if (evidence.dissimilarity >= followed) identity_.observe_distractor(box, *sample, true);
    } else if (evidence.has_distractor && evidence.ratio < kSurelyOther) {
      identity_.observe_distractor(box, *sample, false);
    }
  }
}

void TargetIdentity::observe(const TargetIdentity& other) {
  if (!sure_ || !other.sure_) return;
  const BoundingBox& box = other.state_.estimate()->box;
  if (overlap(state_.estimate()->box, box) >= kApart) return;
  identity_.observe_distractor(box, *other.sure_, true);
}

}  // namespace cltrack
