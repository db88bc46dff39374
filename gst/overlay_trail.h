// SPDX-License-Identifier: LGPL-2.1-or-later
// Paints where a track has been as a line that fades towards its beginning.
#pragma once

#include <span>

#include "core/track.h"
#include "overlay_painter.h"

namespace cltrack::gst {

// The pixels of a frame that the line through `points` covers; empty if there are fewer than two.
PixelRect trail_bounds(std::span<const TrackPoint> points, int line_width, int frame_width,
                       int frame_height);

// The part of the line inside `piece`, which is not empty. The pattern of `style` is not looked at.
Raster paint_trail(std::span<const TrackPoint> points, const PixelRect& piece,
                   const OutlineStyle& style);

}  // namespace cltrack::gst
