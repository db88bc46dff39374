// SPDX-License-Identifier: LGPL-2.1-or-later
// Synthetic pictures that a tracker can track, and buffers that hold them in any format.
#pragma once

#include <gst/video/video.h>

#include <string>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "gst_ptr.h"

namespace cltrack::test {

// Smooth texture everywhere; `target`, if it is not empty, is covered by another one, which moves
// and grows with it, in parts of pixels too.
Image draw_scene(int width, int height, const BoundingBox& target = {});

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

}  // namespace cltrack::test
