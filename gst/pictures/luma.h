// SPDX-License-Identifier: LGPL-2.1-or-later
// The brightness of a mapped picture as one plane.
#pragma once

#include <gst/video/video.h>

#include "cltrack/image_view.h"

namespace cltrack::gst {

// Returns the luma of the first width x height pixels of `frame`, whose format is_supported().
// Planar and semi-planar YUV and grey: the plane itself, nothing is copied. Packed YUV: its luma,
// copied to `scratch`. RGB: 0.299 R + 0.587 G + 0.114 B, rounded, in `scratch`. The view is valid
// as long as both the map and `scratch` are.
ImageView luma_of(const GstVideoFrame& frame, int width, int height, Image& scratch);

}  // namespace cltrack::gst
