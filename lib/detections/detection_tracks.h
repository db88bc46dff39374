// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks from detections: which detection is of which track, which ones start a track, and which
// tracks end. Detections need not come with every frame.
//
// The life of a track that a detection has started is counted in rounds: frames on which the
// detector of its label has run (DetectionRounds).
//
//   tentative --- detection-hits ---> confirmed <--- detected --- unconfirmed --- timeout --> ended
//       '--- missed ---> ended            '--- missed, or lost and found ---^
//
// Nobody is told of a tentative track. An unconfirmed one is followed on, and reported as
// uncertain: after a round that has missed it, most boxes are on somebody else or on background.
//
// Threading: that of the tracker.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/color_picture.h"
#include "cltrack/detection_config.h"
#include "cltrack/export.h"
#include "cltrack/track.h"
#include "detections/detected_frame.h"
#include "detections/detection_targets.h"
#include "identity/appearance.h"

namespace cltrack {

// The frame that the tracker gets next.
struct DetectionFrame {
  int width = 0, height = 0;
  std::uint64_t time = 0;     // ns; it never steps back
  bool follows = true;        // on the frame before: things are near where they were
  ColorPicture picture = {};  // or luma alone, as first component; empty: appearance does not count
};

class CLTRACK_API DetectionTracks {
 public:
  // Before the tracker gets a frame, so that what is detected acts on this very frame.
  void before(const DetectionConfig& config, const DetectedFrame& detected,
              const DetectionFrame& frame, DetectionTargets& targets,
              std::vector<std::string>& warnings);

  // Whether detectors at work will find every track again that the tracker loses: what it finds by
  // itself counts only once they confirm it.
  bool will_find_again() const;

  // After it: takes tentative tracks out of `tracks`, and sets the state of unconfirmed ones. A
  // track that a detection has just confirmed has its box. One that a detection has started is lost
  // while it is outside of the region.
  void after(std::vector<Track>& tracks, DetectionTargets& targets);

  // The detection that has confirmed a track on this frame: its index among those that count.
  const std::map<std::uint64_t, std::size_t>& confirmed() const { return confirmed_; }

  void reset() { *this = {}; }

 private:
  // The box of a detection relative to that of the tracker: the tracker follows some part of what
  // the detector calls the object.
  struct Correction {
    float x, y;           // of the middle, in sides of the tracker's box
    float width, height;  // in the same
  };
  // A track, up to the frame before.
  struct Known {
    std::string label = {};
    BoundingBox box = {};  // the tracker's latest one
    bool is_lost = false;
    bool is_ours = false;     // a detection has started it
    bool is_refound = false;  // by the tracker; no detection has confirmed it since
    // A frame that does not follow has come since it was confirmed: it may be anywhere.
    bool is_displaced = false;
    int hits = 0;             // rounds that have confirmed it
    int misses = 0;           // rounds in a row that have not
    int turns = 0;            // see count_turns()
    bool was_mine = true;     // the latest of these
    double started_at = 0;    // seconds: the first of these rounds
    double confirmed_at = 0;  // and the latest one
    BoundingBox confirmed_box = {};
    std::optional<TrackPoint> velocity = {};  // of confirmed boxes, pixels a second
    std::optional<Correction> correction = {};
    AppearanceGallery gallery = {};
  };
  using Item = std::pair<const std::uint64_t, Known>;
  // A track that a detection may be of.
  struct Candidate {
    std::size_t index;  // among all tracks
    const Known* track;
    float similar;  // to what the detection looks like
    float looks;    // by so much more than any other one
  };

  void resize(int width, int height);
  std::set<std::string> rounds_now(const DetectedFrame& detected);
  double interval(const Known& track) const;
  bool is_unconfirmed(const Known& track) const;
  BoundingBox predicted(const Known& track) const;
  std::optional<BoundingBox> inside(const BoundingBox& box) const;
  float motion_gain(const Known& track, const BoundingBox& box) const;
  bool has_its_size(const Known& track, const BoundingBox& box) const;
  std::vector<Candidate> candidates(std::size_t detection, std::span<Item* const> tracks) const;
  float gain(const Candidate& candidate, std::size_t detection) const;
  bool is_beside_another(const Item& item, const DetectionTargets& targets) const;
  void match(const DetectionTargets& targets);
  void confirm(std::uint64_t id, const DetectedObject& detection, DetectionTargets& targets);
  bool is_on_a_track(const DetectedObject& detection) const;
  bool start(std::size_t index, DetectionTargets& targets, std::vector<std::string>& warnings);
  void sample_appearances();
  bool is_alone(std::uint64_t id, const BoundingBox& box) const;
  void miss(const std::set<std::string>& labels, DetectionTargets& targets);
  void count_turns(std::uint64_t id, Known& track) const;
  const char* end_of(const Known& track, bool is_tentative) const;
  void tell(DetectionTargets& targets);
  void put_right(Track& track, Known& known) const;
  void share_no_place(std::vector<Track>& tracks, const DetectionTargets& targets);

  std::map<std::uint64_t, Known> tracks_;
  std::map<std::uint64_t, std::size_t> confirmed_;
  std::map<std::string, DetectionRounds> rounds_;  // by label
  // Of this frame:
  DetectionConfig config_;
  DetectionFrame frame_;
  std::vector<DetectedObject> detections_;
  std::vector<std::optional<Appearance>> appearances_;  // of detections_
  double now_ = 0;                                      // seconds
  bool is_full_ = false;     // a detection was left out for want of targets, and that was said
  bool is_crowded_ = false;  // the same, of too many detections on a frame
};

}  // namespace cltrack
