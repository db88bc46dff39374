// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks from detections: an object detector runs on some frames of a video, and a tracker follows
// what it has found through all of them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/detection_config.h"
#include "cltrack/export.h"
#include "cltrack/frame.h"
#include "cltrack/track.h"
#include "cltrack/tracker.h"

namespace cltrack {

// One object that a detector has found on a frame.
struct DetectedObject {
  BoundingBox box;       // pixels; may reach beyond the frame
  std::string label;     // its class; a track has detections of one label
  float confidence = 1;  // 0 to 1; with less than 0.5 it starts no track, but confirms one
};

// The detections of a frame that are used: the most confident ones.
inline constexpr std::size_t kMostDetections = 1000;

// What is known of an object on a frame.
struct DetectedTrack : Track {
  // The detection that has confirmed it on this frame: its index among those that update() got.
  std::optional<std::size_t> detection = {};
};

// Threading: one thread at a time. Different ones are independent.
class CLTRACK_API DetectionTracker {
 public:
  virtual ~DetectionTracker() = default;

  // Follows all tracks in `frame`. `detections`: what the detector has found on it, maybe nothing;
  // without a value it has not run on this frame. A detection that is on no track starts one; it is
  // reported once so many rounds (frames on which the detector ran) have confirmed it as
  // DetectionConfig::hits says. A track that two rounds have missed is `uncertain`, with the
  // reason "unconfirmed", until it is detected again or ends: then it is no longer among the
  // tracks, and its id is not used again.
  // The tracks, in the order of their ids, stay valid until the next update() or reset(). Frames
  // without Frame::pts count as 1/25 s, or the usual interval between the others.
  // Throws what Tracker::process() throws, and Error{invalid_argument}, which names the detection,
  // if a box is not finite or has no area, or a confidence is not in 0 to 1: then nothing changes.
  virtual std::span<const DetectedTrack> update(
      const Frame& frame, std::optional<std::span<const DetectedObject>> detections) = 0;

  // Restores the initial state: no tracks, the next frame is the first one, the next id is 1.
  virtual void reset() = 0;

  // Those of the tracker.
  virtual TrackerStats stats() const = 0;

  // Warnings for users, as Tracker::take_warnings().
  virtual std::vector<std::string> take_warnings() = 0;
};

// `tracker` follows what is detected, and gets all its targets from there: make_tld_tracker() or
// make_template_tracker() have made it.
// Deterministic: the same configs, frames and detections give the same tracks.
// Throws Error{invalid_argument} if the config is not valid or `tracker` is null.
CLTRACK_API std::unique_ptr<DetectionTracker> make_detection_tracker(
    std::unique_ptr<Tracker> tracker, const DetectionConfig& config = {});

}  // namespace cltrack
