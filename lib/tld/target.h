// SPDX-License-Identifier: LGPL-2.1-or-later
// One target of a TldTracker: where it is, what has been learnt about it, and what happens to it on
// a frame. The steps of a frame are separate so that the tracker can spread them over threads.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "cltrack/tld_config.h"
#include "cltrack/tracker.h"
#include "core/random.h"
#include "flow/median_flow.h"
#include "tld/detector.h"
#include "tld/fern_ensemble.h"
#include "tld/frame_planes.h"
#include "tld/integrator.h"
#include "tld/learner.h"
#include "tld/object_model.h"

namespace cltrack {

class Target {
 public:
  // Learns the target at `box` of the first frame. `box` must lie inside the frame, both sides at
  // least kMinimumBoxSide. The host does it: blurred and integrals have to be there.
  Target(const BoundingBox& box, FramePlanes& planes, const TldConfig& config, std::uint64_t seed,
         const Detector::Queues& queues);

  // Where the target is after the latest frame, if anywhere.
  const std::optional<Estimate>& estimate() const { return estimate_; }

  // Side of the Lucas-Kanade window that the target's size asks for, pixels, odd.
  int flow_window() const;

  // The steps of a frame, in this order; flow() and the scan parts of detector() may run at the
  // same time. `motion` false: the frame does not follow on from the one before.
  void flow(const FramePlanes& before, const FramePlanes& now, bool motion);
  // The same in two halves, on a device; the second one waits.
  void enqueue_flow(Queue& queue, FramePlanes& before, FramePlanes& now, bool motion);
  void collect_flow(const FramePlanes& now);
  Detector& detector() { return detector_; }
  const Detector& detector() const { return detector_; }
  void enqueue_scan(FramePlanes& planes) { detector_.enqueue_scan(planes, ferns_); }
  void chain_match(FramePlanes& planes) { detector_.chain_match(planes, model_); }
  void scan_part(int part, const FramePlanes& planes) { detector_.scan_part(part, planes); }
  void collect();
  void enqueue_match(FramePlanes& planes) { detector_.enqueue_match(planes, model_); }
  void collect_match() { detector_.collect_match(model_); }
  void match_part(int part, const FramePlanes& planes) {
    detector_.match_part(part, planes, model_);
  }
  // Detections to look at more closely, while flow is not trusted; each on any thread.
  std::vector<Detection*> promising_detections();
  void refine(Detection& detection, const FramePlanes& planes) const;
  // Where the target is, and what there is to learn; the object model learns it at once.
  void decide(const FramePlanes& planes, bool learning);
  // What the ferns have to learn: begins to bring it to where they learn, does not wait; then
  // teaches them. On a device that is queued, on the host it may be done by any thread.
  bool has_lesson() const { return lesson_.has_value(); }
  void enqueue_lesson();
  void learn(FramePlanes& planes);

  // Moves the stages onto other queues, between frames. All that has been learnt stays; if a device
  // that has it has failed, all but what the ferns learnt from the last frames. Waits.
  void place(const Detector::Queues& queues);

  // The frame is now `scale_x`, `scale_y` times as large as before and frame_width x frame_height.
  void rescale(float scale_x, float scale_y, int frame_width, int frame_height);

  const ObjectModel& model() const { return model_; }

 private:
  MedianFlowSettings flow_settings(int largest_window) const;
  void flowed(const std::optional<BoundingBox>& box, const FramePlanes& planes);
  void give_up_unsupported(std::span<const BoundingBox> near);
  void learn_first(const BoundingBox& box, FramePlanes& planes);
  bool may_learn(const BoundingBox& box, const FramePlanes& planes) const;
  void make_lesson(const FramePlanes& planes);
  void make_detector(ScanGrid grid);

  TldConfig config_;
  Detector::Queues queues_;
  Random random_;
  FernEnsemble ferns_;
  ObjectModel model_;
  float grid_width_;  // of the box that the scan grid is made of
  float grid_height_;
  Detector detector_;
  Learner learner_;
  std::optional<Lesson> lesson_;  // of this frame
  float fern_threshold_;
  float nn_threshold_;
  float nn_valid_threshold_;
  float minimum_variance_ = 0;
  std::optional<Estimate> estimate_;
  std::optional<Estimate> tracked_;  // this frame's, by median flow
  float tracked_relative_ = 0;       // relative similarity of its box
  int unsupported_frames_ = 0;       // in a row, see TldConfig::lost_frames
  std::vector<Point> flow_points_;   // on their way on a device; none: no flow
  Array<Point> device_points_;
  Array<std::int32_t> device_window_;
  Array<TrackedPoint> device_tracked_;
};

}  // namespace cltrack
