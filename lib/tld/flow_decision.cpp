// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/flow_decision.h"

#include <algorithm>
#include <vector>

namespace cltrack {

void FlowDecision::reset() {
  constexpr int kPlacedFrames = 12;
  unsupported_frames_ = 0;
  placed_frames_ = kPlacedFrames;
}

void FlowDecision::find(const Motion* motion, const char* no_motion) {
  moved_.reset();
  no_motion_ = no_motion;
  if (motion == nullptr) return;
  const PatchSimilarity similarity = view_.similarity(motion->box);
  moved_relative_ = similarity.relative;
  moved_ = {motion->box, similarity.conservative,
            state_.estimate()->valid || similarity.conservative > view_.model().nn_valid_threshold};
}

// Motion goes on for as long as it finds anything to follow, the background included.
void FlowDecision::give_up_unsupported() {
  if (!view_.has_scan()) return;
  if (!moved_ || moved_->valid || moved_relative_ >= config_.lost_relative ||
      view_.support(moved_->box) > 0) {
    unsupported_frames_ = 0;
  } else if (++unsupported_frames_ >= config_.lost_frames) {
    moved_.reset();
    no_motion_ = "object-model";
  }
}

Outcome FlowDecision::decide(bool learning) {
  give_up_unsupported();
  // The model as it was before a move is surer of the old place, until the new one is learnt.
  const bool is_placed = moved_ && placed_frames_ > 0;
  placed_frames_ = std::max(0, placed_frames_ - 1);
  std::vector<ScoredBox> near, accepted;
  for (const Detection& detection : view_.detections()) {
    near.push_back({detection.box, detection.similarity.conservative});
  }
  if (!is_placed) accepted = view_.detections_above(view_.model().nn_threshold);
  std::optional<Estimate> estimate = integrate(moved_, near, accepted, config_);
  Outcome outcome;
  if (estimate && (estimate->valid || is_placed)) {
    estimate->valid = view_.may_learn(estimate->box);
    outcome.updates_motion =
        learning && (estimate->valid || (is_placed && view_.may_learn(estimate->box, true)));
    outcome.learns = outcome.updates_motion;
  }
  outcome.evidence = {.estimate = estimate, .no_motion = no_motion_};
  return outcome;
}

}  // namespace cltrack
