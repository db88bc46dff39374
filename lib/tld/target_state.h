// SPDX-License-Identifier: LGPL-2.1-or-later
// Whether a target is there: one state, one transition on each frame, and what is reported of it.
#pragma once

#include <optional>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"
#include "core/target_table.h"
#include "tld/integrator.h"
#include "tld/presence.h"

namespace cltrack {

enum class Phase {
  starting,     // motion has no frame of it yet; one that was learnt before may be nowhere
  followed,     // it is there
  found_again,  // the same after a long loss; since then it has been ambiguous who is who
  withheld,     // the same, where it looks like another: it is not reported
  lost,
};

// The evidence of a frame for a target: all that the transition depends on.
struct StateEvidence {
  std::optional<Estimate> estimate = {};  // where it is; if it is lost, where it was
  float presence = 1;                     // probability that it is there; 1 if there is none
  const Hypothesis* here = nullptr;       // where motion led
  const Hypothesis* place = nullptr;      // what `estimate` was chosen for, if that was looked at
  bool has_jumped = false;                // to another place than where motion led
  bool is_right = false;                  // motion led to where it surely is
  bool yields = false;                    // where motion led is another target's place
  bool has_switched = false;              // motion has followed somebody else
  bool is_ambiguous = false;              // who is who, from now on
  const char* no_motion = "";             // why motion led nowhere
};

class TargetState {
 public:
  // The state of a target that was learnt before, and is nowhere yet.
  explicit TargetState(const TldConfig& config) : config_(config) {}

  // Somebody has put it there: what was counted before says nothing of it.
  void put(const BoundingBox& box);
  // Motion has a frame of it.
  void begin() { phase_ = Phase::followed; }

  // On each frame, in this order. `has_switched`: it turns out that motion follows somebody else;
  // then it is not believed for some frames, whatever it says. To be called on frames on which
  // motion leads somewhere.
  void begin_frame();
  bool lets_motion_go(bool has_switched);
  // Returns phase().
  Phase transition(const StateEvidence& now);
  // The outcome of that: whether it is seen, and whether it is where motion led.
  bool is_seen_at(const StateEvidence& now) const {
    return now.estimate && now.presence >= config_.lost_presence;
  }
  bool is_followed_at(const StateEvidence& now) const {
    return is_seen_at(now) && !now.has_jumped && now.here != nullptr;
  }

  Phase phase() const { return phase_; }
  const std::optional<Estimate>& estimate() const { return estimate_; }
  std::optional<BoundingBox> box() const {
    return estimate_ ? std::optional(estimate_->box) : std::nullopt;
  }
  bool has_begun() const { return phase_ != Phase::starting; }
  // Whether it is probable enough to be looked at further, withheld or not.
  bool is_seen() const;
  // The box is that of estimate().
  Sighting report() const;

  int age() const { return age_; }                        // see Evidence
  int settled_frames() const { return settled_frames_; }  // since a loss or a jump
  // For so many, with one more, that its box is a sample of it.
  bool is_settled() const { return settled_frames_ + 1 >= kSettledFrames; }
  // For some frames in a row: places that are less like it may be it.
  bool is_long_lost() const { return lost_frames_ >= kLongLost; }
  // For so many that it may be anywhere.
  bool may_be_anywhere() const { return lost_frames_ > kAnywhere; }

  // Its place has moved in the picture.
  void move_by(float x, float y) {
    if (estimate_) estimate_->box.x += x, estimate_->box.y += y;
  }
  // The frame is now `scale_x`, `scale_y` times as large as before.
  void rescale(float scale_x, float scale_y);

 private:
  const char* reason_of_loss(const StateEvidence& now) const;

  static constexpr int kLongLost = 5, kAnywhere = 10, kSettledFrames = 20;

  TldConfig config_;
  Phase phase_ = Phase::starting;
  std::optional<Estimate> estimate_;
  float reported_presence_ = 1;
  const char* reason_ = "not-found";        // of the latest loss
  Evidence trusted_ = {.conservative = 1};  // of the latest frame on which motion was right
  int age_ = Evidence::kWarmupFrames;       // frames since somebody put it somewhere
  int lost_frames_ = 0;                     // in a row
  int settled_frames_ = kSettledFrames;     // since a loss or a jump
  int refused_frames_ = 0;                  // to come, on which motion is let go
  bool is_unconfirmed_ = false;             // see Phase::found_again; stays so while it is lost
};

}  // namespace cltrack
