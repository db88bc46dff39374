// SPDX-License-Identifier: LGPL-2.1-or-later
// What a target is known by when it is added.
#pragma once

#include <variant>

#include "cltrack/bounding_box.h"
#include "cltrack/color_model.h"
#include "cltrack/image_view.h"

namespace cltrack {

// One of:
// - a box: where the target is on the frame that the next call of Tracker::process() brings; what
//   the frame shows there is learnt. The part outside of that frame is cut off. All trackers.
// - a picture of it, 8-bit luma; add() copies the pixels. By template matching.
// - its colour. By colour.
using Seed = std::variant<BoundingBox, ImageView, ColorModel>;

}  // namespace cltrack
