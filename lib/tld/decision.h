// SPDX-License-Identifier: LGPL-2.1-or-later
// How it is decided where a target is on a frame: PresenceDecision with a correlation filter,
// FlowDecision with median flow.
//
// On each frame: find(), then verify() what propose() names, then decide(). find() and propose()
// may be called again for a frame that begins again.
#pragma once

#include <vector>

#include "cltrack/tld_config.h"
#include "motion/motion_estimator.h"
#include "ops/flow/point_flow.h"
#include "tld/hypotheses.h"
#include "tld/target_state.h"
#include "tld/target_view.h"

namespace cltrack {

struct Outcome {
  StateEvidence evidence;
  bool updates_motion = false;        // motion may learn where the target is,
  bool reinitialises_motion = false;  // or has to begin anew there
  bool learns = false;                // so may object model and ferns
};

class Decision {
 public:
  // All have to stay where they are. `state`: of the frame before, until the frame is decided.
  Decision(const TldConfig& config, TargetState& state, TargetView& view)
      : config_(config), state_(state), view_(view) {}
  virtual ~Decision() = default;

  // Somebody has put the target somewhere.
  virtual void reset() = 0;

  // The camera has moved what was found on the frame before.
  virtual void move_places(const Point& /*shift*/) {}

  // Where motion has led; or null, and why it has led nowhere.
  virtual void find(const Motion* motion, const char* no_motion) = 0;
  // Whether that is trusted without a closer look at what the detector has found.
  virtual bool is_sure() const = 0;
  // Places that motion and network shall look at, too, and what they say of each. `is_refused`:
  // another target surely is there, or it is not looked for there.
  virtual std::vector<BoundingBox> propose() { return {}; }
  virtual void verify(const BoundingBox& /*place*/, const Motion& /*motion*/, bool /*is_refused*/,
                      const std::optional<NetworkFindings>& /*findings*/) {}
  // Whether a network has to be asked on the next frame, or what it has said before will do.
  virtual bool needs_network() const { return true; }
  // Where the target is. `learning`: motion and models may learn on this frame.
  virtual Outcome decide(bool learning) = 0;

  // The decision is based on these.
  const Hypotheses& hypotheses() const { return hypotheses_; }
  // Where motion has led, the target is not.
  void refuse_motion() { hypotheses_.here->presence = 0; }

 protected:
  const TldConfig& config_;
  TargetState& state_;
  TargetView& view_;
  const char* no_motion_ = "";
  Hypotheses hypotheses_;
};

}  // namespace cltrack
