// SPDX-License-Identifier: LGPL-2.1-or-later
// Video frames as pictures in colour: which formats have it, and where their components lie.
#pragma once

#include <gst/video/video.h>

#include "cltrack/color_picture.h"

namespace cltrack::gst {

// True for the formats of is_supported() that have three components to tell colours from.
bool has_color(const GstVideoFormatInfo* format);

// Raw video in system memory of every such format that this GStreamer knows. The caller owns the
// caps.
GstCaps* make_color_caps();

// The mapped frame as it lies there, width x height pixels of it. Nothing is copied.
ColorPicture color_of(const GstVideoFrame& frame, int width, int height);

}  // namespace cltrack::gst
