// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tracker.h"

#include <algorithm>
#include <sstream>

#include "cltrack/error.h"

namespace cltrack {

const char* to_string(TrackState state) {
  switch (state) {
    case TrackState::tracking:
      return "tracking";
    case TrackState::uncertain:
      return "uncertain";
    case TrackState::lost:
      return "lost";
  }
  return "lost";
}

SavedModel Tracker::save(std::uint64_t /*id*/) {
  throw Error(ErrorCode::invalid_argument,
              "this algorithm has no models that can be saved; TLD has");
}

BoundingBox clip_target(const BoundingBox& box, int width, int height) {
  const BoundingBox inside = box.is_valid() ? clip_to_frame(box, width, height) : BoundingBox{};
  if (std::min(inside.width, inside.height) >= kMinimumBoxSide) return inside;
  std::ostringstream message;
  message << "box x=" << box.x << " y=" << box.y << " width=" << box.width
          << " height=" << box.height << " cannot be tracked in a frame of " << width << "x"
          << height << " pixels: at least " << kMinimumBoxSide << "x" << kMinimumBoxSide
          << " pixels of it must lie inside the frame";
  throw Error(ErrorCode::invalid_argument, message.str());
}

}  // namespace cltrack
