// SPDX-License-Identifier: LGPL-2.1-or-later
// The description of a target when it is added.
#pragma once

#include <variant>

#include "cltrack/bounding_box.h"
#include "cltrack/color_model.h"
#include "cltrack/image_view.h"
#include "cltrack/saved_model.h"

namespace cltrack {

// One of:
// - its box on the frame of the next Tracker::process(), from which it is learnt; clipped to the
//   frame. For all trackers.
// - a picture of it, 8-bit luma; add() copies the pixels. For template matching.
// - its colour. For tracking by colour.
// - what was learnt about it before. It is lost until the detector finds it. For TLD.
using Seed = std::variant<BoundingBox, ImageView, ColorModel, SavedModel>;

}  // namespace cltrack
