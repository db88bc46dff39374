// SPDX-License-Identifier: LGPL-2.1-or-later
// Video frames as pictures for trackers: brightness, or brightness and colour.
#pragma once

#include <gst/video/video.h>

#include "cltrack/color_picture.h"
#include "cltrack/image_view.h"

namespace cltrack::gst {

// Video frames as pictures in colour: which formats have it, and where their components lie.

// True for the formats of is_supported() that have three components to tell colours from.
bool has_color(const GstVideoFormatInfo* format);

// Which component of such a format is the picture's component `c`: red, green, blue, or luma, U, V.
unsigned component_of(const GstVideoFormatInfo* format, unsigned c);

// Raw video in system memory of every such format that this GStreamer knows. The caller owns the
// caps.
GstCaps* make_color_caps();

// The encoding of YUV pictures.
YuvEncoding encoding_of(const GstVideoInfo& info);

// The mapped frame as it lies there, width x height pixels of it. Nothing is copied.
ColorPicture color_of(const GstVideoFrame& frame, int width, int height);

// The brightness of a mapped picture as one plane.

// That of the first width x height pixels of `frame`, whose format is_supported(): as luma_of() of
// a ColorPicture. The view is valid as long as both the map and `scratch` are.
ImageView luma_of(const GstVideoFrame& frame, int width, int height, Image& scratch);

}  // namespace cltrack::gst
