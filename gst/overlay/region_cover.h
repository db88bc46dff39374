// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes regions of a frame unrecognisable.
#pragma once

#include <gst/video/video.h>

#include <span>
#include <vector>

#include "metadata/track_meta.h"
#include "overlay/mosaic.h"
#include "overlay/overlay_painter.h"

namespace cltrack::gst {

// What has to be covered of a frame so that nothing of `regions` shows: boxes, and a margin around
// them, since a box may be a little off; whole samples of colour, too. Largest first, none within
// another, none empty.
std::vector<PixelRect> covers_of(std::span<const TrackRegion> regions, int frame_width,
                                 int frame_height);

// Replaces the pixels of `covers`, which lie in the frame, by a mosaic each. No others change.
// `frame` is mapped for reading and writing.
void cover(const GstVideoFrame& frame, std::span<const PixelRect> covers, MosaicLook look);

}  // namespace cltrack::gst
