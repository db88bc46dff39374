// SPDX-License-Identifier: LGPL-2.1-or-later
// Who is who among similar objects: what a target looks like, and what its distractors do, the
// objects that its detector takes for it (Possegger, Mauthner, Bischof, "In Defense of Color-based
// Model-free Tracking", CVPR 2015; Mayer et al., "Learning Target Candidate Association to Keep
// Track of What Not to Track", ICCV 2021).
//
// A target has a gallery that the tracker cannot teach itself, of its first frames, and recent
// samples of frames on which it was sure who is who. Distractors are known ahead
// of need: whatever the detector finds elsewhere while the target surely is here, followed by
// motion and looks, each with a small gallery of its own.
//
// Once a distractor has touched the target, or the target may have been somewhere else, it is
// ambiguous who is who, until for some frames the box is distinguished from all distractors nearly
// as well as the target was before. Nothing is learnt in the meantime, and what was learnt just
// before is forgotten.
//
// Threading: different objects at the same time.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "identity/appearance.h"

namespace cltrack {

// The evidence of appearance for a box. Distances are 1 - similarity to the nearest sample of a
// gallery, and a little more, so that noise does not count. All but these are logarithms of ratios;
// 0 is neutral.
struct IdentityEvidence {
  // Distance to the target's gallery, as a multiple of what it was on its first frames.
  float dissimilarity = 0;
  // Distance to the nearest gallery of a distractor, as a multiple of that to the target's own;
  // under 0 it looks more like the distractor. A distractor that was elsewhere a moment ago counts
  // as further away.
  float ratio = 0;
  float distractor_distance = 1;  // of that one, 0 to 1
  // Distance of that distractor's gallery from the target's own, as a multiple of the same.
  // Around 0, the two cannot be distinguished.
  float distinctness = 0;
  // The mean ratio while nobody is near. Around 0, appearance says nothing of this target.
  float baseline_ratio = 1;
  bool has_distractor = false;
  bool is_ambiguous = false;  // who is who; false without a distractor

  friend bool operator==(const IdentityEvidence&, const IdentityEvidence&) = default;
};

// While it is ambiguous who is who, whether the box looks more like a distractor than like the
// target: the ratio is under -margin. A target that looks like neither has turned, and a ratio that
// is low while nobody is near says nothing here.
bool resembles_distractor(const IdentityEvidence& evidence, float margin = 0);
constexpr float kSwitchMargin = 0.1f;  // of a place that is not believed

// An object that is not the target.
struct Distractor {
  BoundingBox box;
  float velocity_x = 0, velocity_y = 0;  // pixels a frame
  std::vector<Appearance> gallery;
  int last_seen = 0;  // frame
  int sightings = 0;

  // Where it may be some frames later.
  BoundingBox predicted(int frame) const;
  // Clutter is seen here on one frame and there on another.
  bool moves_steadily() const;
};

class Identity {
 public:
  // The target is what `sample` shows. Forgets what it looked like; distractors stay.
  void start(const std::optional<Appearance>& sample);
  bool has_gallery() const { return !gallery_.empty(); }

  // The evidence for a box on the present frame. Nothing is known without a gallery.
  IdentityEvidence compare(const Appearance& sample, const BoundingBox& box) const;

  // The target surely is in `box`, of which that is `evidence`. `is_whole`: all of the box is in
  // the picture, and it has been followed there for some time.
  void confirm(const BoundingBox& box, const Appearance& sample, const IdentityEvidence& evidence,
               bool is_whole);
  // It may be somewhere else on this frame: who is who is ambiguous from now on.
  void mark_ambiguous();
  // Whether the followed box, of which that is the evidence, shows a distractor and not the target.
  // To be called once a frame: a single one decides nothing.
  bool has_switched(const IdentityEvidence& followed);
  bool is_ambiguous() const { return is_ambiguous_; }

  // Something that is not the target is in `box`. One that was not known is added if
  // `is_target_elsewhere`: only then it is not the target for sure.
  void observe_distractor(const BoundingBox& box, const Appearance& sample,
                          bool is_target_elsewhere);

  void end_frame() { ++frame_; }
  // The camera has moved the scene in the picture: velocities are those in the scene.
  void move_distractors(float x, float y) {
    for (Distractor& one : distractors_) one.box.x += x, one.box.y += y;
  }
  // The frame has another size; where distractors were means nothing there.
  void forget_distractors() { distractors_.clear(); }

  std::span<const Distractor> distractors() const { return distractors_; }

 private:
  struct RecentSample {
    Appearance appearance;
    int frame = 0;
  };

  float own_distance(const Appearance& sample) const;
  float common_with(const Distractor& distractor, const BoundingBox& box) const;
  bool resolve(const IdentityEvidence& evidence);
  void learn_baseline(const Appearance& sample, const BoundingBox& box);
  Distractor* match(const BoundingBox& box, const Appearance& sample);

  std::vector<Appearance> gallery_;  // of the first frames
  std::deque<RecentSample> recent_;  // by frame
  float baseline_distance_ = 0;
  int baseline_samples_ = 0;
  float baseline_ratio_ = 1;
  int baseline_ratios_ = 0;
  std::vector<Distractor> distractors_;
  int frame_ = 0, start_ = 0;
  int latest_sample_ = 0;  // frame
  bool is_ambiguous_ = false;
  int clear_frames_ = 0;  // in a row, while it is ambiguous
  int other_frames_ = 0;  // in a row, on which the followed box looks like a distractor
};

}  // namespace cltrack
