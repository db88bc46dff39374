// SPDX-License-Identifier: LGPL-2.1-or-later
// Which raw video formats have brightness that a tracker can use as it stands, or that takes no
// more than a weighted sum: 8 bits per component, with luma or with red, green and blue.
#pragma once

#include <gst/video/video.h>

namespace cltrack::gst {

// True for planar, semi-planar and packed YUV, grey and RGB of 8 bits per component whose luma (or
// red, green and blue) is addressed by one pixel stride; false for tiles, palettes, more bits.
bool is_supported(const GstVideoFormatInfo* format);

// Raw video in system memory of every format of this GStreamer that `accepts`. The caller owns the
// caps.
GstCaps* make_caps_of(bool (*accepts)(const GstVideoFormatInfo* format));

// The same of every supported format.
GstCaps* make_supported_caps();

}  // namespace cltrack::gst
