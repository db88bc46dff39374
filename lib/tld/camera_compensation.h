// SPDX-License-Identifier: LGPL-2.1-or-later
// Where a target is looked for when the camera moves. It goes with the scene, or the camera goes
// with it: then it stays where it is in the picture.
#pragma once

#include <optional>

#include "cltrack/bounding_box.h"
#include "ops/flow/point_flow.h"

namespace cltrack {

class CameraCompensation {
 public:
  // Returns how far its place moves. `shift`: of the scene in the picture since the frame before.
  // `box`: where it was then, and whether it was seen there.
  Point begin_frame(const Point& shift, const BoundingBox& box, bool is_seen);
  // Where it is now, if it is seen and has not been found elsewhere.
  void end_frame(const std::optional<BoundingBox>& box);
  void reset() { *this = {}; }

 private:
  Point shift_;
  std::optional<BoundingBox> before_;
  // Means over the frames on which the camera has moved, pixels: how far it was from where it would
  // be with the scene, and from where it was in the picture.
  float scene_error_ = 0, picture_error_ = 0;
};

}  // namespace cltrack
