// SPDX-License-Identifier: LGPL-2.1-or-later
// Synthetic pictures in colour, as buffers of any format.
#pragma once

#include <gst/video/video.h>

#include <array>
#include <vector>

#include "gst_ptr.h"

namespace cltrack::test {

// No multiple of four, so that rows are padded.
inline constexpr int kColorWidth = 162, kColorHeight = 122;

struct ColorPatch {
  int x, y, width, height;      // pixels
  std::array<guint8, 3> color;  // red, green, blue
};

// A red object, and what finds it.
inline constexpr ColorPatch kRedPatch = {40, 24, 32, 40, {200, 20, 30}};
inline constexpr const char* kRedColor =
    R"(<"hsv, hue-min=340, hue-max=20, saturation-min=0.6, label=red">)";

// A picture with patches on grey. GStreamer converts it: where neighbours share their chroma, edges
// are blurred.
BufferPtr color_picture(const std::vector<ColorPatch>& patches,
                        GstVideoFormat format = GST_VIDEO_FORMAT_RGB);

}  // namespace cltrack::test
