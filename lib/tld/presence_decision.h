// SPDX-License-Identifier: LGPL-2.1-or-later
// Where a target is with a correlation filter: the evidence for places is collected, and one of
// them selected by its presence.
#pragma once

#include "tld/decision.h"
#include "tld/hypothesis_selection.h"
#include "tld/network_follower.h"
#include "tld/presence.h"
#include "tld/target_identity.h"

namespace cltrack {

class PresenceDecision final : public Decision {
 public:
  // `identity` has to stay where it is.
  PresenceDecision(const TldConfig& config, TargetState& state, TargetView& view,
                   TargetIdentity& identity)
      : Decision(config, state, view), identity_(identity), selection_(config) {}

  void reset() override;
  void move_places(const Point& shift) override {
    selection_.move_places(shift.x, shift.y);
    follower_.move_place(shift.x, shift.y);
  }
  void find(const Motion* motion, const char* no_motion) override;
  bool is_sure() const override;
  std::vector<BoundingBox> propose() override;
  void verify(const BoundingBox& place, const Motion& motion, bool is_refused,
              const std::optional<NetworkFindings>& findings) override;
  bool needs_network() const override { return !network_score_; }
  Outcome decide(bool learning) override;

 private:
  // `is_here`: where motion leads, or another place.
  Hypothesis hypothesis(const Motion& motion, const std::optional<NetworkFindings>& findings,
                        bool is_here);
  void remember_network(const StateEvidence& now);
  std::optional<Estimate> find_again() const;
  const Hypothesis* chosen(const Verdict& verdict) const;

  TargetIdentity& identity_;
  HypothesisSelection selection_;
  // The current filter's; reset when that is initialised again. A box that is moved, and a frame of
  // another size, change nothing.
  ResponseBaseline baseline_;
  FilterQuality quality_;      // where motion leads
  bool has_switched_ = false;  // to a distractor, as of this frame
  int support_ = 0;            // of the followed box, on the latest frame with a scan
  int negative_frames_ = 0;    // in a row, see Evidence
  float response_drop_ = 0;    // see there
  NetworkFollower follower_;
  // Of where motion led when the network was asked last, if all was sure then and since.
  std::optional<float> network_score_;
  int unasked_frames_ = 0;               // since then, while that counts
  std::optional<BoundingBox> followed_;  // among the other places, that which it has gone to
};

}  // namespace cltrack
