// SPDX-License-Identifier: LGPL-2.1-or-later
// Synthetic pictures that a tracker can track, grey and in colour, and buffers that hold them in
// any format.
#pragma once

#include <gst/video/video.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "gst_ptr.h"

namespace cltrack::test {

// Smooth texture everywhere; `target`, if it is not empty, is covered by another one, which moves
// and grows with it, in parts of pixels too.
Image draw_scene(int width, int height, const BoundingBox& target = {});

// What most tests track in it, and the same as the property "targets".
inline constexpr BoundingBox kTarget{100, 80, 48, 40};
inline constexpr const char* kTargets = "<<100,80,48,40>>";

// Other targets in the same way.
std::string targets_text(const std::vector<std::pair<BoundingBox, std::string>>& targets);
inline std::string targets_text(const BoundingBox& box) { return targets_text({{box, ""}}); }

// Where the target of moving_scene() is on frame `index`: a slow walk that stays inside 320x240.
BoundingBox moving_target(int index);
Image moving_scene(int index);

// Every format that cltracker takes.
std::vector<GstVideoFormat> supported_formats();

struct BufferOptions {
  int row_padding = 0;  // bytes more in each row than the format needs; described by GstVideoMeta
  bool bottom_up = false;  // rows in reverse order, negative strides; described by GstVideoMeta
};

// A buffer with `picture` in the given format, grey: luma or all of red, green, blue are that of
// the picture, the rest is neutral, and padding is filled with noise.
BufferPtr make_buffer(const Image& picture, GstVideoFormat format,
                      const BufferOptions& options = {});

// Caps of such buffers, 25 pictures per second.
std::string caps_text(int width, int height, GstVideoFormat format);

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
