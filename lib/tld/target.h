// SPDX-License-Identifier: LGPL-2.1-or-later
// One target of a TldTracker: where it is, what has been learnt about it, and what a frame decides
// about both. What is looked for on the frame is looked for elsewhere, for all targets at once.
//
// Threading: one thread at a time; refine() of different detections on any.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cltrack/tld_config.h"
#include "identity/identity.h"
#include "motion/motion_estimator.h"
#include "tld/first_frame.h"
#include "tld/frame_planes.h"
#include "tld/hypothesis_selection.h"
#include "tld/integrator.h"
#include "tld/object_model.h"
#include "tld/presence.h"
#include "tld/scan_grid.h"
#include "tld/target_model.h"
#include "tld/target_state.h"
#include "tld/training.h"

namespace cltrack {

class Target {
 public:
  // `id` is not 0, and no other target of the tracker has or had it.
  Target(std::uint64_t id, FirstFrame first, ScanGrid grid, const TldConfig& config);
  // One whose model was learnt before: it is lost.
  Target(std::uint64_t id, TargetModel model, ScanGrid grid, const TldConfig& config);

  std::uint64_t id() const { return id_; }
  const TargetModel& model() const { return model_; }
  TargetModel& model() { return model_; }
  const ScanGrid& grid() const { return grid_; }
  std::uint64_t grid_version() const { return grid_version_; }  // changes whenever the grid does

  // Where the target is after the latest frame, if anywhere: what stands for it.
  const std::optional<Estimate>& estimate() const { return state_.estimate(); }
  // Whether that is probable enough to be looked at further.
  bool is_seen() const { return state_.is_seen(); }
  // What is reported of it. The box is as the target was given: what stands for it is a window of
  // the grid, which need not have the same edges.
  Sighting report() const;

  // On this frame it is at `box`: nothing is decided, and nothing learnt.
  void move_to(const BoundingBox& box);

  // Motion has a first frame of the target. It does not have one of a target with an earlier model,
  // until that is found or moved somewhere: until then it cannot be asked.
  void set_begun() { state_.begin(); }
  bool has_begun() const { return state_.has_begun(); }
  // Whether motion can be asked where it went.
  bool is_followed() const { return estimate() && has_begun(); }

  // Before a frame's scan; see ScanPlan::begin().
  void begin_scan(int steps, int interval) { plan_.begin(estimate() ? steps : 0, interval); }
  ScanPlan& scan_plan() { return plan_; }
  const ScanPlan& scan_plan() const { return plan_; }
  // What is scanned on it.
  ScanRegion scan_region() const;

  // What was found on a frame: where motion carried the box, if anywhere, and the windows that
  // passed the ferns; nothing if there was no scan.
  void set_found(const std::optional<Motion>& motion,
                 std::optional<std::vector<Detection>> detections, const FramePlanes& planes);

  // A place has one owner. Of all targets of the frame, this one included, once set_found() was
  // called for each: first find_owners() of all, which reads the others, then yield_to_owners().
  // Where two have led to one place, the one that came there, or else the less probable one,
  // yields: it is not there, and takes no place of another. Targets that were together from the
  // first are left alone.
  void find_owners(std::span<Target* const> targets);
  void yield_to_owners();

  // Detections to look at more closely, while motion is not trusted; each on any thread.
  std::vector<Detection*> promising_detections();
  void refine(Detection& detection, const FramePlanes& planes) const;

  // Places that motion shall look at as well, once detections are refined; and what it says of
  // each.
  std::vector<BoundingBox> places_to_verify();
  void verify(const std::optional<Motion>& motion, const FramePlanes& planes);

  // What the latest frame was decided on: where motion led, if anywhere, and the verified places.
  const std::optional<Hypothesis>& here() const { return here_; }
  std::span<const Hypothesis> verified() const { return verified_; }

  // Where the target is, and what there is to learn; the object model learns it at once.
  void decide(const FramePlanes& planes, bool learning);
  // What the ferns have to learn from this frame, if anything.
  const std::optional<TrainingSet>& training() const { return training_; }

  // What it looks like on this frame, where it is: nobody can drift there. Again whenever somebody
  // says where it is.
  void start_identity(const FramePlanes& planes);
  // After decide() of all of them: where others surely are, this one is not.
  void see_others(std::span<Target* const> targets);

  // Whether motion may learn where the target is, or has to begin anew there.
  bool updates_motion() const { return updates_motion_; }
  bool reinitialise_filter() const { return reinitialises_filter_; }

  // The frame is now `scale_x`, `scale_y` times as large as before and frame_width x frame_height.
  void rescale(float scale_x, float scale_y, int frame_width, int frame_height);

 private:
  // The patch and the appearance of a box on this frame, computed once. After set_found().
  const Patch& patch_at(const BoundingBox& box, const FramePlanes& planes);
  const std::optional<Appearance>& appearance_at(const BoundingBox& box, const FramePlanes& planes);
  PatchSimilarity similarity_at(const BoundingBox& box, const FramePlanes& planes);
  // `is_here`: where motion leads, or another place.
  Hypothesis hypothesis(const Motion& motion, bool is_here, const FramePlanes& planes);
  // Detections with more than this relative similarity.
  std::vector<ScoredBox> detections_above(float relative) const;
  void give_up_unsupported(std::span<const ScoredBox> near);
  StateEvidence decide_by_similarity(const FramePlanes& planes, bool learning);
  StateEvidence decide_by_presence(const FramePlanes& planes, bool learning);
  std::optional<Estimate> find_again() const;
  const Hypothesis* chosen(const Verdict& verdict) const;
  bool yields_to(const Target& other) const;
  void update_identity(const StateEvidence& now, const FramePlanes& planes, bool learning);
  void see_distractors(const StateEvidence& now, const FramePlanes& planes);
  // `is_placed`: somebody has said that the target is there, whatever it looks like.
  bool may_learn(const BoundingBox& box, const FramePlanes& planes, bool is_placed = false);
  void learn(const BoundingBox& box, const FramePlanes& planes);

  std::uint64_t id_;
  TldConfig config_;
  TargetModel model_;
  ScanGrid grid_;
  std::uint64_t grid_version_ = 1;
  TargetState state_;
  BoundingBox given_ = {0, 0, 1, 1};  // relative to what stands for it: see report()
  // What this frame's motion leads to: moved_ of median flow, here_ of the correlation filter.
  const char* no_motion_ = "";  // why it leads nowhere
  std::optional<Estimate> moved_;
  float moved_relative_ = 0;  // relative similarity of its box
  std::optional<Hypothesis> here_;
  std::optional<FilterQuality> quality_;  // of here_
  std::vector<Hypothesis> verified_;
  std::deque<std::pair<BoundingBox, Patch>> patches_;  // of this frame, and so are
  std::deque<std::pair<BoundingBox, std::optional<Appearance>>> appearances_;
  // Of the current filter; reset when that is initialised again. A box that is moved, and a frame
  // of another size, change nothing.
  ResponseBaseline baseline_;
  HypothesisSelection selection_;
  Identity identity_;
  IdentityEvidence identity_here_;             // smoothed over the latest frames since it was found
  std::optional<Appearance> sure_appearance_;  // of its box, if it surely is there on this frame
  std::vector<std::uint64_t> companions_;  // targets that it overlapped when it was put somewhere
  std::vector<BoundingBox> owned_;         // by others, on this frame
  bool yields_ = false;                    // on this frame
  bool has_yielded_ = false;               // on the one before
  bool has_switched_ = false;              // to a distractor, as of this frame
  ScanPlan plan_;
  std::vector<Detection> detections_;
  bool has_scan_ = true;  // false if the detector did not run on this frame
  int support_ = 0;       // of the filter's box on the latest frame with a scan
  std::optional<TrainingSet> training_;
  bool updates_motion_ = false;
  bool reinitialises_filter_ = false;
  int unsupported_frames_ = 0;  // in a row, of median flow: see TldConfig::lost_frames
  int placed_frames_ = 0;       // to come, on which median flow stays where it was moved to
  int negative_frames_ = 0;     // in a row, of the filter: see Evidence
};

}  // namespace cltrack
