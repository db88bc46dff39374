// SPDX-License-Identifier: LGPL-2.1-or-later
// One target of a TldTracker: where it is, what has been learnt about it, and what a frame decides
// about both. FrameSteps searches the frame, for all targets at once.
//
// Threading: one thread at a time; refine() of different detections on any.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cltrack/tld_config.h"
#include "motion/motion_estimator.h"
#include "ops/flow/point_flow.h"
#include "tld/camera_compensation.h"
#include "tld/decision.h"
#include "tld/first_frame.h"
#include "tld/frame_planes.h"
#include "tld/object_model.h"
#include "tld/scan_grid.h"
#include "tld/target_identity.h"
#include "tld/target_model.h"
#include "tld/target_state.h"
#include "tld/target_view.h"
#include "tld/training.h"

namespace cltrack {

class Target {
 public:
  // `id` is not 0, and no other target of the tracker has or had it.
  Target(std::uint64_t id, FirstFrame first, ScanGrid grid, const TldConfig& config);
  // One whose model was learnt before: it is lost.
  Target(std::uint64_t id, TargetModel model, ScanGrid grid, const TldConfig& config);
  Target(const Target&) = delete;  // its parts know each other
  Target& operator=(const Target&) = delete;

  std::uint64_t id() const { return id_; }
  const TargetModel& model() const { return model_; }
  TargetModel& model() { return model_; }
  const ScanGrid& grid() const { return grid_; }
  std::uint64_t grid_version() const { return grid_version_; }  // changes whenever the grid does

  // Where the target is after the latest frame, if anywhere: what stands for it.
  const std::optional<Estimate>& estimate() const { return state_.estimate(); }
  // Whether that is probable enough to be looked at further.
  bool is_seen() const { return state_.is_seen(); }
  // The report of it. The box is as the target was given: what stands for it is a window of the
  // grid, which need not have the same edges.
  Sighting report() const;

  // On this frame it is at `box`: nothing is decided, and nothing learnt.
  void move_to(const BoundingBox& box);

  // What is known of places on the frame before goes with the camera: it has moved the scene by
  // `shift` in a picture of width x height. Before the frame is searched; of a target that
  // is_followed().
  void follow_camera(const Point& shift, int width, int height);

  // Motion has a first frame of the target, the present one. It does not have one of a target with
  // an earlier model, until that is found or moved somewhere.
  void begin(const FramePlanes& planes);
  bool has_begun() const { return state_.has_begun(); }
  // Whether motion can find out where it went.
  bool is_followed() const { return estimate() && has_begun(); }
  // Whether a network has to be asked about it on the next frame, whatever the interval.
  bool needs_network() const { return decision_->needs_network(); }
  // The same of the detector.
  bool needs_detector() const;

  // Before a frame's scan; see ScanPlan::begin().
  void begin_scan(int steps, int interval) { plan_.begin(estimate() ? steps : 0, interval); }
  ScanPlan& scan_plan() { return plan_; }
  const ScanPlan& scan_plan() const { return plan_; }
  // The windows to scan on it.
  ScanRegion scan_region() const { return plan_.region(state_.box(), grid_); }

  // Takes what was found on a frame: where motion carried the box, if anywhere, the windows that
  // passed the ferns, and what a network has found around the box; nothing if there was no scan,
  // and if no network was asked. `planes` stay valid until the frame ends.
  void set_found(const std::optional<Motion>& motion,
                 std::optional<std::vector<Detection>> detections, const FramePlanes& planes,
                 std::optional<NetworkFindings> findings = {});

  // A place has one owner. Of all targets of the frame, this one included, once set_found() was
  // called for each: first find_owners() of all, which reads the others, then yield_to_owners().
  // Where two have led to one place, the one that came there, or else the less probable one,
  // yields: it is not there, and takes no place of another. Targets that were together from the
  // first are left alone.
  void find_owners(std::span<Target* const> targets);
  void yield_to_owners();

  // Detections to look at more closely, while motion is not trusted; each on any thread.
  std::vector<Detection*> promising_detections();
  void refine(Detection& detection) const;

  // Places that motion shall look at as well, once detections are refined; and what it says of
  // each. `may_be_there`: false if the target is not looked for there.
  std::vector<BoundingBox> places_to_verify() { return decision_->propose(); }
  void verify(const BoundingBox& place, const std::optional<Motion>& motion,
              bool may_be_there = true, const std::optional<NetworkFindings>& findings = {});

  const Hypotheses& hypotheses() const { return decision_->hypotheses(); }

  // Where the target is, and what there is to learn; the object model learns it at once.
  void decide(bool learning);
  // The samples that the ferns have to learn from this frame, if any.
  const std::optional<TrainingSet>& training() const { return training_; }
  // Whether motion may learn where the target is, or has to begin anew there.
  bool updates_motion() const { return updates_motion_; }
  bool reinitialises_motion() const { return reinitialises_motion_; }

  // After decide() of all of them: where others surely are, this one is not.
  void observe_others(std::span<Target* const> targets);

  // The frame is now `scale_x`, `scale_y` times as large as before and frame_width x frame_height.
  void rescale(float scale_x, float scale_y, int frame_width, int frame_height);

 private:
  auto claim() const;

  std::uint64_t id_;
  TldConfig config_;
  TargetModel model_;
  ScanGrid grid_;
  std::uint64_t grid_version_ = 1;
  BoundingBox given_ = {0, 0, 1, 1};  // relative to what stands for it: see report()
  TargetState state_{config_};
  TargetView view_{config_, model_};
  TargetIdentity identity_{config_, state_, view_};
  CameraCompensation compensation_;
  std::unique_ptr<Decision> decision_;
  std::vector<std::uint64_t> initial_overlaps_;  // targets that overlapped it when it was put there
  std::vector<BoundingBox> owned_;               // by others, on this frame
  bool yields_ = false;                          // on this frame
  bool has_yielded_ = false;                     // on the one before
  ScanPlan plan_;
  std::optional<TrainingSet> training_;
  bool updates_motion_ = false;
  bool reinitialises_motion_ = false;
};

}  // namespace cltrack
