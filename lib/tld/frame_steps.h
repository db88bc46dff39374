// SPDX-License-Identifier: LGPL-2.1-or-later
// The steps of a frame, and which targets are looked for all over it.
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "cltrack/frame.h"
#include "cltrack/image_view.h"
#include "cltrack/search_region.h"
#include "cltrack/tld_config.h"
#include "compute/array.h"
#include "compute/lent_picture.h"
#include "compute/queue.h"
#include "motion/camera_motion.h"
#include "motion/motion_estimator.h"
#include "ops/planes/integral.h"
#include "placement/placed_devices.h"
#include "tld/detector.h"
#include "tld/learner.h"
#include "tld/network_search.h"
#include "tld/target.h"
#include "tld/target_bank.h"
#include "tld/tld_stages.h"

namespace cltrack {

// Decides which targets are looked for all over a frame, and which ones on the next frames: so that
// frames take equally long, however many targets there are.

// Begins the scan of each target (ScanPlan::begin(), which gets `steps`). A target whose rows are
// too many for the frame's share is scanned in more turns. If too many targets have to be looked
// for all over the frame, those that have waited longest are, at least one; the others wait for the
// next frames. `near`: all wait.
void plan_scans(std::span<Target* const> targets, int steps, bool near, const TldConfig& config);

// The steps of a frame for all targets together: in what order, and on which queue. Which targets
// there are, and what is reported of them, is decided by the tracker.
//
// Threading: one thread at a time; threads of its own work inside of a call only.
class FrameSteps {
 public:
  using Targets = std::span<Target* const>;

  // Throws what Device::open() throws.
  FrameSteps(const TldConfig& config, const std::vector<PlacedStage>& placement);

  // Moves stages, what they have of the targets included, between two frames or after one that has
  // failed: then it can begin again. Nothing that was learnt or seen is lost. If it throws, it can
  // be called again.
  void place(const std::vector<PlacedStage>& placement, Targets targets);

  // One frame, in this order. Whatever throws, place() or abandon() is next. begin() and find() get
  // all targets there are, those that were moved on this frame included: the tables of the ferns
  // stay with a target for as long as it comes. decide() leaves those out, and gets the others in
  // any order. `steps`: frame intervals of the stream since the frame before, 0 if the frame does
  // not follow on from it; such a frame is looked at in full, whatever its effort. `starts`:
  // start() will be called. Each throws Error{interrupted} once a stop is requested of the frame.
  void begin(const TrackedFrame& frame, Targets targets, int steps, bool starts = true);
  void find(Targets targets);  // motion, ferns, nearest neighbours
  void decide(Targets targets, bool learning);
  // A target whose first frame this is, of an id that none had before. `box` must lie inside the
  // frame.
  std::unique_ptr<Target> start(std::uint64_t id, const BoundingBox& box);
  // Motion gets its first frame of those that are somewhere for the first time, found or moved.
  void begin_motion(Targets targets);
  void end();  // lets go of the frame's memory, which devices may read until then

  void set_search_region(const SearchRegion& region) { search_region_ = region; }

  // The frame that has begun: whether it follows on from another, and whether decide() has come so
  // far that it must not be called again: a frame that begins again goes on after it.
  bool has_motion() const { return steps_ > 0; }
  Effort effort() const { return effort_; }
  bool has_scan() const { return scans_; }
  bool has_decided() const { return decided_; }

  // The next frame does not follow on from any.
  void forget_before() { has_before_ = false; }
  // A target will not come again.
  void remove(std::uint64_t id);
  // Lets go of everything of the frame, and of the one before. Never throws.
  void abandon() noexcept;
  // The same, and forgets all targets. Never throws.
  void reset() noexcept;

  // The latest ones; waits for the device that learns. If it has failed, those before.
  FernTables fern_tables(const Target& target) const;

  Queue& host() { return *host_; }
  StageMeters& meters() { return meters_; }
  const StageMeters& meters() const { return meters_; }

 private:
  bool together(Stage a, Stage b) const { return devices_.together(a, b); }
  // Of several frames, on which one something is done for a target: not for all on the same.
  bool has_turn(const Target& target, int interval) const {
    return (frames_ + target.id()) % static_cast<std::uint64_t>(interval) == 0;
  }
  bool asks_network() const { return network_ && effort_ == Effort::full; }
  // Whether a lost target may be found there.
  bool is_searched(const BoundingBox& box) const {
    return search_region_.contains(box, planes_.luma.width(), planes_.luma.height());
  }
  void plan(Targets targets);
  void follow_camera(const TrackedFrame& frame, Targets targets);
  void make_planes(const TrackedFrame& frame, bool starts);
  void bring_places();
  void search();
  void collect(Targets targets);
  void refine(Targets targets);
  void verify(Targets targets);
  void train(Targets targets);

  TldConfig config_;
  std::shared_ptr<Queue> host_;
  PlacedDevices devices_;
  StageMeters meters_;
  FramePlanes planes_;
  CameraMotion camera_;
  std::unique_ptr<MotionEstimator> estimator_;
  std::unique_ptr<NetworkSearch> network_;  // null if the config has none
  TargetBank bank_;
  Detector detector_;
  Learner learner_;
  SearchRegion search_region_;
  std::vector<MotionTarget> moving_;  // targets with a box on the frame before
  std::vector<MotionTarget> asked_;   // those of them about which the network is asked
  std::uint64_t frames_ = 0;
  bool has_before_ = false;  // the estimator has the frame before
  int steps_ = 0;            // that motion leads over, see begin()
  Effort effort_ = Effort::full;
  bool near_ = false;                 // nothing is looked for all over the frame
  bool scans_ = false;                // the detector looks for some target
  bool has_followed_camera_ = false;  // on this frame: once, if it begins again, too
  bool decided_ = false;
  std::stop_token stop_;  // of the frame that has begun
};

}  // namespace cltrack
