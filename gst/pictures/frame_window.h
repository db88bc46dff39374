// SPDX-License-Identifier: LGPL-2.1-or-later
// Parts of a mapped picture of any raw format: views on some of its columns, and rows of pixels
// that GStreamer takes apart and puts together.
#pragma once

#include <gst/video/video.h>

#include <cstddef>
#include <vector>

#include "pictures/pixel_rect.h"

namespace cltrack::gst {

// GStreamer works on windows of a frame that begin and end at multiples of this.
inline constexpr int kWindowAlignment = 16;

constexpr int round_to_window(int column) { return column / kWindowAlignment * kWindowAlignment; }
constexpr int round_up_to_window(int column) {
  return round_to_window(column + kWindowAlignment - 1);
}

// A view on `width` columns of `frame` from column `x` on, both multiples of kWindowAlignment
// unless they reach the right edge. False if the format has no such views: its pixels come in
// groups or tiles.
bool make_window(const GstVideoFrame& frame, int x, int width, GstVideoFrame& window);

// The smallest window with all columns of `place`, or the whole frame where there are none; `place`
// lies in the frame, and is in pixels of the window from now on.
GstVideoFrame window_around(const GstVideoFrame& frame, PixelRect& place);

// Leaves out the last column of a frame of UYVP that cannot be drawn on: two pixels are five bytes
// there, and before GStreamer 1.24 the second half of the last ones of an odd width lay beyond the
// row, and packing wrote there all the same.
void drop_split_group(GstVideoFrame& frame);

// Whether pixels are taken apart into components of 16 bits, not 8.
bool has_wide_samples(const GstVideoFrame& frame);

// Pixels of one frame, or of a window of it, a row at a time, all components in full. The frame is
// an AlignedFrame's.
template <typename Sample>
class FrameRows {
 public:
  static constexpr std::size_t kComponents = 4;

  explicit FrameRows(const GstVideoFrame& frame)
      : frame_(frame),
        line_((static_cast<std::size_t>(GST_VIDEO_FRAME_WIDTH(&frame)) + kLineSlack) *
              kComponents) {}

  Sample* read(int y) {
    const GstVideoFormatInfo* format = frame_.info.finfo;
    format->unpack_func(format, GST_VIDEO_PACK_FLAG_NONE, line_.data(), frame_.data,
                        frame_.info.stride, 0, y, GST_VIDEO_FRAME_WIDTH(&frame_));
    return line_.data();
  }

  void write(int y) {
    const GstVideoFormatInfo* format = frame_.info.finfo;
    auto* data = const_cast<gpointer*>(frame_.data);
    format->pack_func(format, GST_VIDEO_PACK_FLAG_NONE, line_.data(), 0, data, frame_.info.stride,
                      frame_.info.chroma_site, y, GST_VIDEO_FRAME_WIDTH(&frame_));
  }

 private:
  // Functions that unpack groups of pixels may write the whole of the last group.
  static constexpr std::size_t kLineSlack = 64;

  const GstVideoFrame& frame_;
  std::vector<Sample> line_;
};

}  // namespace cltrack::gst
