// SPDX-License-Identifier: LGPL-2.1-or-later
// The result of a tracker for one target on one frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cltrack/bounding_box.h"
#include "cltrack/export.h"
#include "cltrack/frame.h"

namespace cltrack {

enum class TrackState {
  tracking,   // the box is trusted; the tracker may learn from it
  uncertain,  // there is a box, but it is not trusted enough to learn from
  lost,       // no box; the tracker searches the whole frame for the target
};

// "tracking", "uncertain" or "lost".
CLTRACK_API const char* to_string(TrackState state);

struct TrackPoint {
  float x = 0;  // pixels; the centre of the first pixel is (0, 0)
  float y = 0;

  friend bool operator==(const TrackPoint&, const TrackPoint&) = default;
};

// The pixels of an object that is tracked by colour.
struct ColorExtent {
  std::uint64_t area = 0;  // number of pixels
  TrackPoint centroid;     // their mean position
  // Centroids on the latest consecutive frames with a box, this one last; empty unless
  // ColorConfig::trail is set. Valid as long as the tracks of Tracker::process().
  std::span<const TrackPoint> trail;
};

struct Track {
  std::uint64_t id = 0;  // from 1; see Tracker::add(); kept through loss
  std::string label;     // as given to Tracker::add
  BoundingBox box;       // pixels; may reach beyond the frame; all zero while lost
  float confidence = 0;  // 0 to 1; 0 while lost
  TrackState state = TrackState::lost;
  std::uint64_t age = 0;                   // frames since the target was added; 1 on the first one
  std::optional<ColorExtent> extent = {};  // only by colour, and while it has a box
  std::int64_t last_seen = kNoTimestamp;   // Frame::pts of the latest frame with a box
  // Why it was lost: which evidence had fallen, in a word (docs/elements.md lists them); "" while
  // it has a box (but "unconfirmed" of one that detections have missed). A constant.
  const char* reason = "";

  // Whether it has a box: all targets except lost ones have.
  bool has_box() const { return state != TrackState::lost; }
};

}  // namespace cltrack
