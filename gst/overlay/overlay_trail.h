// SPDX-License-Identifier: LGPL-2.1-or-later
// Paints where a track has been as a line that fades towards its beginning.
#pragma once

#include <span>
#include <vector>

#include "cltrack/track.h"
#include "overlay/overlay_painter.h"

namespace cltrack::gst {

// The pixels of a frame that the line through `points` covers; empty if there are fewer than two.
PixelRect trail_bounds(std::span<const TrackPoint> points, int line_width, int frame_width,
                       int frame_height);

// Rectangles that do not overlap, inside the frame, and hold all of the line, in no particular
// order: a long line leaves most of its bounds empty.
std::vector<PixelRect> trail_pieces(std::span<const TrackPoint> points, int line_width,
                                    int frame_width, int frame_height);

// A part of the line that is painted in one stroke.
struct TrailStroke {
  double fade = 1;  // of its opacity
  std::vector<TrackPoint> points;
};

// The strokes of the line, the oldest one first, without points that nobody would miss.
std::vector<TrailStroke> trail_strokes(std::span<const TrackPoint> points);

// The part of the line inside `piece`, which is not empty. The pattern of `style` is not looked at.
Raster paint_trail(std::span<const TrailStroke> strokes, const PixelRect& piece,
                   const OutlineStyle& style);

}  // namespace cltrack::gst
