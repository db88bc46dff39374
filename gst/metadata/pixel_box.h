// SPDX-License-Identifier: LGPL-2.1-or-later
// The box of a track as metadata has it: inside the frame, in whole pixels.
#pragma once

#include <optional>

#include "cltrack/track.h"

namespace cltrack::gst {

// The part of the track's box that lies inside the frame; none if it is lost, or nothing does.
std::optional<BoundingBox> visible_box(const Track& track, int frame_width, int frame_height);

struct PixelBox {
  int x, y, width, height;
};

// The nearest pixel edges, but never no pixel at all. `box` is a visible one.
PixelBox to_pixels(const BoundingBox& box, int frame_width, int frame_height);

}  // namespace cltrack::gst
