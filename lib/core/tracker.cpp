// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tracker.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "cltrack/error.h"
#include "core/target_table.h"

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

namespace {

[[noreturn]] void refuse(const BoundingBox& box, const std::string& reason) {
  std::ostringstream message;
  message << "box x=" << box.x << " y=" << box.y << " width=" << box.width
          << " height=" << box.height << " cannot be tracked: " << reason;
  throw Error(ErrorCode::invalid_argument, message.str());
}

std::string size_text(float width, float height) {
  std::ostringstream text;
  text << width << "x" << height;
  return text.str();
}

}  // namespace

void check_valid(const BoundingBox& box) {
  if (box.is_valid()) return;
  refuse(box, "all four must be finite numbers, and width and height more than 0");
}

void check_box(const BoundingBox& box) {
  check_valid(box);
  if (std::min(box.width, box.height) < kMinimumBoxSide) {
    refuse(box, "it is too small, a target must have at least " +
                    size_text(kMinimumBoxSide, kMinimumBoxSide) + " pixels");
  }
}

BoundingBox clip_target(const BoundingBox& box, int width, int height) {
  check_box(box);
  const BoundingBox inside = clip_to_frame(box, width, height);
  if (std::min(inside.width, inside.height) >= kMinimumBoxSide) return inside;
  const std::string frame = std::to_string(width) + "x" + std::to_string(height);
  if (!inside.is_valid())
    refuse(box, "it lies outside of the frame, which has " + frame + " pixels");
  refuse(box, "only " + size_text(inside.width, inside.height) +
                  " pixels of it lie inside the frame of " + frame + ", at least " +
                  size_text(kMinimumBoxSide, kMinimumBoxSide) + " must");
}

}  // namespace cltrack
