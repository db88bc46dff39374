// SPDX-License-Identifier: LGPL-2.1-or-later
// What a tracker says of one target on one frame.
#pragma once

#include <cstdint>
#include <string>

#include "bounding_box.h"
#include "export.h"
#include "frame.h"

namespace cltrack {

enum class TrackState {
  tracking,   // the box is trusted; the tracker may learn from it
  uncertain,  // there is a box, but it is not trusted enough to learn from
  lost,       // no box; the tracker goes on looking for the target in the whole frame
};

// "tracking", "uncertain" or "lost".
CLTRACK_API const char* to_string(TrackState state);

struct Track {
  std::uint64_t id = 0;  // from 1, never used again before reset(), kept through loss
  std::string label;     // as given to Tracker::add
  BoundingBox box;       // pixels; may reach beyond the frame; all zero while lost
  float confidence = 0;  // 0 to 1; 0 while lost
  TrackState state = TrackState::lost;
  std::uint64_t age = 0;  // frames processed since the target was added, its first one is 1
  std::int64_t last_seen = kNoTimestamp;  // Frame::pts of the latest frame with a box

  bool has_box() const { return state != TrackState::lost; }
};

}  // namespace cltrack
