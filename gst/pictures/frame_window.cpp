// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/frame_window.h"

#include <algorithm>
#include <limits>

namespace cltrack::gst {
namespace {

// Bytes from the start of a row of `plane` to the pixel in column `x`; negative where the format's
// components do not agree on it.
int column_offset(const GstVideoFrame& frame, guint plane, int x) {
  const GstVideoFormatInfo* format = frame.info.finfo;
  constexpr int kUnknown = std::numeric_limits<int>::min();
  int offset = kUnknown;
  for (guint component = 0; component < format->n_components; ++component) {
    if (format->plane[component] != plane) continue;
    const int pixel_stride = format->pixel_stride[component];
    const int here = (x >> format->w_sub[component]) * pixel_stride;
    if (pixel_stride <= 0 || (offset != kUnknown && here != offset)) return -1;
    offset = here;
  }
  return offset == kUnknown ? -1 : offset;
}

}  // namespace

bool make_window(const GstVideoFrame& frame, int x, int width, GstVideoFrame& window) {
  const GstVideoFormatInfo* format = frame.info.finfo;
  const guint no_view =
      GST_VIDEO_FORMAT_FLAG_COMPLEX | GST_VIDEO_FORMAT_FLAG_TILED | GST_VIDEO_FORMAT_FLAG_PALETTE;
  if ((static_cast<guint>(format->flags) & no_view) != 0) return false;
  window = frame;
  for (guint plane = 0; plane < format->n_planes; ++plane) {
    const int offset = column_offset(frame, plane, x);
    if (offset < 0) return false;
    window.data[plane] = static_cast<guint8*>(frame.data[plane]) + offset;
  }
  window.info.width = width;
  return true;
}

GstVideoFrame window_around(const GstVideoFrame& frame, PixelRect& place) {
  const int left = round_to_window(place.x);
  const int right = std::min(round_up_to_window(place.right()), GST_VIDEO_FRAME_WIDTH(&frame));
  GstVideoFrame window;
  if (!make_window(frame, left, right - left, window)) return frame;
  place.x -= left;
  return window;
}

void drop_split_group(GstVideoFrame& frame) {
  const int width = GST_VIDEO_FRAME_WIDTH(&frame);
  if (GST_VIDEO_FRAME_FORMAT(&frame) == GST_VIDEO_FORMAT_UYVP &&
      GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0) < (width + 1) / 2 * 5) {
    frame.info.width = width - 1;
  }
}

bool has_wide_samples(const GstVideoFrame& frame) {
  const GstVideoFormatInfo* unpacked = gst_video_format_get_info(frame.info.finfo->unpack_format);
  return GST_VIDEO_FORMAT_INFO_DEPTH(unpacked, 0) > 8;
}

}  // namespace cltrack::gst
