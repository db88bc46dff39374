// SPDX-License-Identifier: LGPL-2.1-or-later
// Hypothesis selection: where a target is when its motion estimator says how sure it is: where that
// leads, or where the detector found something.
//
// On each frame: propose_candidates(), which names places that the estimator shall look at as well,
// then decide().
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"
#include "tld/integrator.h"
#include "tld/presence.h"

namespace cltrack {

struct Verdict {
  std::optional<Estimate> estimate;  // its confidence is the probability
  bool has_jumped = false;           // away from where motion led
  bool reinitialise_filter = false;  // what motion has learnt is of something else
};

class HypothesisSelection {
 public:
  explicit HypothesisSelection(const TldConfig& config) : config_(config) {}

  // May be called again for a frame. `here`: where motion leads, if anywhere. `is_long_lost`: see
  // TargetState; then more places are named. `clusters`: detections that are like the target. While
  // motion is not sure, returns the best of them that are elsewhere; for some frames after a loss
  // or a jump, `here` in two other sizes, too.
  std::vector<BoundingBox> propose_candidates(const std::optional<Hypothesis>& here,
                                              bool is_long_lost,
                                              std::span<const ScoredBox> clusters);
  // The same of a frame that was not scanned: nothing is known of other places.
  std::vector<BoundingBox> propose_candidates(const std::optional<Hypothesis>& here,
                                              bool is_long_lost);

  // `before`: where the target was. `verified`: what motion says of the places that
  // propose_candidates() named. A place is believed if it is much more probable than `here`, beyond
  // doubt or on two frames in a row; or, if motion is sure but nothing else has spoken for it for
  // some frames, after some on which the detector is sure of another place, the same on each: then
  // motion has drifted off. After a loss or a jump, a little more probable is enough for some
  // frames, so that the size is put right. While nothing is probable, the target stays where it
  // was; and once it is lost for some frames, what motion finds needs to be as probable as a place.
  Verdict decide(const std::optional<BoundingBox>& before, std::span<const Hypothesis> verified);

  // What was found on the frame before has moved in the picture.
  void move_places(float x, float y) {
    for (std::optional<BoundingBox>* place : {&alternative_before_, &candidate_}) {
      if (*place) (*place)->x += x, (*place)->y += y;
    }
  }
  // The target was put somewhere.
  void reset() {
    alternative_frames_ = unsupported_frames_ = unsettled_frames_ = 0;
    candidate_.reset();
  }

 private:
  bool is_unsettled() const;
  bool believes_motion() const;
  void count_alternatives();
  Verdict choose(const std::optional<BoundingBox>& before, std::span<const Hypothesis> verified);

  TldConfig config_;
  std::optional<Hypothesis> here_;
  // A place that the detector is sure of while motion, as sure, is at another.
  std::optional<BoundingBox> alternative_;         // on this frame
  std::optional<BoundingBox> alternative_before_;  // on the latest frame that had one
  std::optional<BoundingBox> candidate_;  // a place that needs to be found again, on the next frame
  bool is_long_lost_ = false;
  bool has_scan_ = true;
  int alternative_frames_ = 0;  // frames on which there was one, less those on which there was none
  int unsupported_frames_ =
      0;                      // in a row, of those with a scan: no window overlaps where motion is
  int unsettled_frames_ = 0;  // to come
};

}  // namespace cltrack
