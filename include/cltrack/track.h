// SPDX-License-Identifier: LGPL-2.1-or-later
// What a tracker says of one target on one frame.
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
  lost,       // no box; the tracker goes on looking for the target in the whole frame
};

// "tracking", "uncertain" or "lost".
CLTRACK_API const char* to_string(TrackState state);

struct TrackPoint {
  float x = 0;  // pixels; the centre of the first pixel is (0, 0)
  float y = 0;

  friend bool operator==(const TrackPoint&, const TrackPoint&) = default;
};

// The pixels that have an object's colour.
struct ColorExtent {
  std::uint64_t area = 0;  // how many
  TrackPoint centroid;     // their mean place
  // The same on the latest frames on which it was seen without a gap, this one last; empty unless
  // the tracker was asked to keep it. Valid as long as the tracks of Tracker::process().
  std::span<const TrackPoint> trail;
};

struct Track {
  std::uint64_t id = 0;  // from 1, never used again before reset(), kept through loss
  std::string label;     // as given to Tracker::add
  BoundingBox box;       // pixels; may reach beyond the frame; all zero while lost
  float confidence = 0;  // 0 to 1; 0 while lost
  TrackState state = TrackState::lost;
  std::uint64_t age = 0;  // frames processed since the target was added, its first one is 1
  std::optional<ColorExtent> extent = {};  // by colour only, while it has a box
  std::int64_t last_seen = kNoTimestamp;   // Frame::pts of the latest frame with a box

  // Whether it has a box on the latest frame: all but lost targets have one.
  bool has_box() const { return state != TrackState::lost; }
};

}  // namespace cltrack
