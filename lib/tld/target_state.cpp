// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target_state.h"

#include <algorithm>

#include "identity/identity.h"

namespace cltrack {
namespace {

constexpr const char* kAppearance = "appearance";  // a reason: it looks like another

}  // namespace

void TargetState::put(const BoundingBox& box) {
  phase_ = Phase::starting;
  estimate_ = {box, 1, true};
  reported_presence_ = 1;
  age_ = lost_frames_ = refused_frames_ = 0;
  settled_frames_ = kSettledFrames;
  is_unconfirmed_ = false;
}

void TargetState::begin_frame() { age_ = std::min(age_ + 1, Evidence::kWarmupFrames); }

// Motion that follows somebody else does so as surely as ever. It is let go until the target may be
// anywhere: then the place has to look like it, see Evidence::is_elsewhere.
bool TargetState::lets_motion_go(bool has_switched) {
  if (has_switched) refused_frames_ = kAnywhere + 1;
  if (refused_frames_ == 0) return false;
  --refused_frames_;
  return true;
}

Phase TargetState::transition(const StateEvidence& now) {
  const bool was_seen = is_seen();
  const bool is_there = is_seen_at(now);
  estimate_ = now.estimate;
  reported_presence_ = now.place != nullptr ? reported_presence(now.place->evidence) : 1;
  if (now.is_right && now.here != nullptr) trusted_ = now.here->evidence;
  if (has_begun()) {
    is_unconfirmed_ =
        now.is_ambiguous && (is_unconfirmed_ || (now.has_jumped && lost_frames_ >= kAnywhere));
    lost_frames_ = is_there ? 0 : lost_frames_ + 1;
    settled_frames_ = is_followed_at(now) ? std::min(settled_frames_ + 1, kSettledFrames) : 0;
    if (!is_there) {
      phase_ = Phase::lost;
    } else if (!is_unconfirmed_) {
      phase_ = Phase::followed;
    } else {
      const bool looks_like_another =
          now.place != nullptr && resembles_distractor(now.place->evidence.identity, kSwitchMargin);
      phase_ = looks_like_another ? Phase::withheld : Phase::found_again;
    }
  }
  if (was_seen && !is_seen()) reason_ = reason_of_loss(now);
  return phase_;
}

const char* TargetState::reason_of_loss(const StateEvidence& now) const {
  if (now.yields) return "other-target";
  if (now.has_switched) return kAppearance;
  return now.here != nullptr ? fallen_evidence(trusted_, now.here->evidence) : now.no_motion;
}

bool TargetState::is_seen() const {
  return has_begun() ? phase_ != Phase::lost : estimate_.has_value();
}

// While it is ambiguous who is who, what is reported is less sure than what decisions go by.
Sighting TargetState::report() const {
  if (!is_seen()) return {.reason = reason_};
  if (phase_ == Phase::withheld) return {.reason = kAppearance};
  const bool is_sure = estimate_->valid && reported_presence_ >= config_.tracking_presence;
  return {estimate_->box,
          std::min(estimate_->confidence, std::max(reported_presence_, config_.lost_presence)),
          is_sure ? TrackState::tracking : TrackState::uncertain};
}

void TargetState::rescale(float scale_x, float scale_y) {
  if (!estimate_) return;
  BoundingBox& box = estimate_->box;
  box = {box.x * scale_x, box.y * scale_y, box.width * scale_x, box.height * scale_y};
}

}  // namespace cltrack
