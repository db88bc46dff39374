// SPDX-License-Identifier: LGPL-2.1-or-later
// The rectangles of the property "draw-rect".
#pragma once

#include <gst/video/video.h>

#include <span>

#include "cltrack/track.h"

namespace cltrack::gst {

// Blends a red line of two pixels, just inside of its box, into `frame` for every track with a box.
// `frame` is mapped for reading and writing.
void draw_outlines(GstVideoFrame* frame, std::span<const Track> tracks);

}  // namespace cltrack::gst
