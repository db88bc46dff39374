// SPDX-License-Identifier: LGPL-2.1-or-later
// Lays the patches of a scene over each other before they meet the frame. Taking the rows of a
// frame apart and putting them together costs more than drawing a few pixels on them, and a
// thousand boxes have patches one upon the other: so it is done once for each row, not once for
// each row of each patch.
#pragma once

#include <functional>
#include <span>

#include "overlay/overlay_scene.h"

namespace cltrack::gst {

// The pixels of the patch hold for the call.
using UsePatch = std::function<void(const OverlayPatch& patch)>;

// Calls `use` for other patches that show the same and of which no two draw on a pixel: where one
// of `patches` lies, its pixels; where several do, the later ones over the earlier ones. With
// `whole_rows` no two of them have a row in common, else those of a row lie in windows of their
// own. Throws Error if a patch cannot be read.
void lay_over_each_other(std::span<const OverlayPatch> patches, int frame_width, int frame_height,
                         bool whole_rows, const UsePatch& use);

}  // namespace cltrack::gst
