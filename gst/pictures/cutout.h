// SPDX-License-Identifier: LGPL-2.1-or-later
// Parts of pictures that outlive their buffers, and the same as JPEG.
#pragma once

#include <gst/video/video.h>

#include <cstdint>
#include <string>
#include <vector>

#include "pictures/pixel_rect.h"

namespace cltrack::gst {

// A copy of pixels, taken apart as GStreamer does with those of any format: four components each.
struct Cutout {
  GstVideoInfo info;
  std::vector<std::uint8_t> pixels;  // rows without padding
};

// `frame` is an AlignedFrame's, `place` lies in it and is not empty.
Cutout cut_out(const GstVideoFrame& frame, const PixelRect& place);

// Whether there is what jpeg_of() needs.
bool has_jpeg_encoder();

// The bytes of a JPEG file, in the colours that the stream says its pixels have. Takes a few
// milliseconds, and threads of GStreamer. Throws Error{failed}.
std::string jpeg_of(const Cutout& cutout);

}  // namespace cltrack::gst
