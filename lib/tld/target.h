// SPDX-License-Identifier: LGPL-2.1-or-later
// One target of a TldTracker: where it is, what has been learnt about it, and what happens to it on
// a frame. The steps of a frame are separate so that the tracker can spread them over threads.
#pragma once

#include <optional>
#include <string>

#include "core/random.h"
#include "core/tracker.h"
#include "flow/median_flow.h"
#include "tld/config.h"
#include "tld/detector.h"
#include "tld/fern_ensemble.h"
#include "tld/frame_planes.h"
#include "tld/integrator.h"
#include "tld/object_model.h"

namespace cltrack {

class Target {
 public:
  // Learns the target at `box` of the first frame. `box` must lie inside the frame, both sides at
  // least kMinimumBoxSide.
  Target(const BoundingBox& box, const FramePlanes& planes, const TldConfig& config,
         std::uint64_t seed);

  // Where the target is after the latest frame, if anywhere.
  const std::optional<Estimate>& estimate() const { return estimate_; }

  // Side of the Lucas-Kanade window that the target's size asks for, pixels, odd.
  int flow_window() const;

  // The steps of a frame, in this order; flow() and the scan parts of detector() may run at the
  // same time. `motion` false: the frame does not follow on from the one before.
  void flow(const FramePlanes& before, const FramePlanes& now, bool motion);
  Detector& detector() { return detector_; }
  const Detector& detector() const { return detector_; }
  void scan_part(int part, const FramePlanes& planes) {
    detector_.scan_part(part, planes, ferns_.tables());
  }
  void collect() { detector_.collect(ferns_.tables(), fern_threshold_); }
  void match_part(int part, const FramePlanes& planes) {
    detector_.match_part(part, planes, model_);
  }
  void decide(const FramePlanes& planes, bool learning);

  // The frame is now `scale_x`, `scale_y` times as large as before and frame_width x frame_height.
  void rescale(float scale_x, float scale_y, int frame_width, int frame_height);

  const ObjectModel& model() const { return model_; }

 private:
  Estimate judge(const BoundingBox& box, const FramePlanes& planes) const;
  void learn_first(const BoundingBox& box, const FramePlanes& planes);
  bool may_learn(const BoundingBox& box, const FramePlanes& planes) const;
  void learn(const FramePlanes& planes);

  TldConfig config_;
  Random random_;
  FernEnsemble ferns_;
  ObjectModel model_;
  float grid_width_;  // of the box that the scan grid is made of
  float grid_height_;
  Detector detector_;
  float fern_threshold_;
  float nn_threshold_;
  float nn_valid_threshold_;
  float minimum_variance_ = 0;
  std::optional<Estimate> estimate_;
  std::optional<Estimate> tracked_;  // this frame's, by median flow
};

}  // namespace cltrack
