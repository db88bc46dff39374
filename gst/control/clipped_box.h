// SPDX-License-Identifier: LGPL-2.1-or-later
// Boxes of targets that lie partly outside of the picture.
#pragma once

#include <string>
#include <vector>

#include "cltrack/bounding_box.h"

namespace cltrack::gst {

// The part of `box` inside a frame of width x height pixels, with a warning if that is not all of
// it. Throws what clip_target() throws.
BoundingBox clip_with_warning(const BoundingBox& box, int width, int height,
                              std::vector<std::string>& warnings);

}  // namespace cltrack::gst
