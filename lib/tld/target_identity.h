// SPDX-License-Identifier: LGPL-2.1-or-later
// Who is who on the frames of a target: what they teach its identity, and what that says of boxes.
#pragma once

#include <optional>

#include "cltrack/tld_config.h"
#include "identity/identity.h"
#include "tld/target_state.h"
#include "tld/target_view.h"

namespace cltrack {

class TargetIdentity {
 public:
  // All have to stay where they are. `state`: of the frame before, until the frame is decided.
  TargetIdentity(const TldConfig& config, const TargetState& state, TargetView& view)
      : config_(config), state_(state), view_(view) {}

  // The target is what `sample` shows: nobody can drift there.
  void start(const std::optional<Appearance>& sample) { identity_.start(sample); }
  // It was put somewhere.
  void reset();
  void move_distractors(float x, float y) { identity_.move_distractors(x, y); }
  // The frame has another size.
  void forget_distractors() { identity_.forget_distractors(); }

  // The evidence for a box where motion leads, or elsewhere. That for the followed one is smoothed
  // over the latest frames since it was found.
  IdentityEvidence compare(const BoundingBox& box, bool is_here);
  // Whether motion, which leads to what is followed, follows somebody else. Once a frame.
  bool has_switched(const IdentityEvidence& followed);
  // Before the state's transition.
  void update(const StateEvidence& now, bool learning);
  bool is_ambiguous() const { return identity_.is_ambiguous(); }
  // After update() of both: where the other surely is, this target is not.
  void observe(const TargetIdentity& other);
  void end_frame() { identity_.end_frame(); }

 private:
  void observe_distractors(const StateEvidence& now);

  const TldConfig& config_;
  const TargetState& state_;
  TargetView& view_;
  Identity identity_;
  IdentityEvidence followed_;       // smoothed
  std::optional<Appearance> sure_;  // of its box, if it surely is there on this frame
};

}  // namespace cltrack
