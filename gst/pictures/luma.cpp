// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/luma.h"

#include <cstdint>

#include "pictures/frame_layout.h"

namespace cltrack::gst {

YuvEncoding encoding_of(const GstVideoInfo& info) {
  YuvEncoding encoding;
  gst_video_color_matrix_get_Kr_Kb(info.colorimetry.matrix, &encoding.red, &encoding.blue);
  encoding.full_range = info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
  return encoding;
}

bool has_color(const GstVideoFormatInfo* format) {
  if (!is_supported(format) || GST_VIDEO_FORMAT_INFO_IS_GRAY(format) ||
      GST_VIDEO_FORMAT_INFO_N_COMPONENTS(format) < 3) {
    return false;
  }
  for (unsigned c = 0; c < 3; ++c) {
    if (GST_VIDEO_FORMAT_INFO_PSTRIDE(format, c) <= 0) return false;
  }
  return true;
}

unsigned component_of(const GstVideoFormatInfo* format, unsigned c) {
  // GStreamer's table (1.22) has U and V of VYUY where UYVY has them; its converters know better.
  const bool swapped =
      GST_VIDEO_FORMAT_INFO_FORMAT(format) == GST_VIDEO_FORMAT_VYUY &&
      GST_VIDEO_FORMAT_INFO_POFFSET(format, 1) < GST_VIDEO_FORMAT_INFO_POFFSET(format, 2);
  return swapped && c > 0 ? 3 - c : c;
}

GstCaps* make_color_caps() {
  return make_caps_of([](const GstVideoFormatInfo* format) { return has_color(format); });
}

ColorPicture color_of(const GstVideoFrame& frame, int width, int height) {
  ColorPicture picture;
  const GstVideoFormatInfo* format = frame.info.finfo;
  if (!has_color(format)) return picture;
  picture.space = GST_VIDEO_FORMAT_INFO_IS_RGB(format) ? ColorSpace::rgb : ColorSpace::yuv;
  picture.encoding = encoding_of(frame.info);
  picture.width = width;
  picture.height = height;
  for (unsigned c = 0; c < 3; ++c) {
    const unsigned from = component_of(format, c);
    picture.components[c] = {
        .data = static_cast<const std::uint8_t*>(GST_VIDEO_FRAME_COMP_DATA(&frame, from)),
        .stride = GST_VIDEO_FRAME_COMP_STRIDE(&frame, from),
        .step = GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, from),
        .shift_x = static_cast<int>(GST_VIDEO_FORMAT_INFO_W_SUB(format, from)),
        .shift_y = static_cast<int>(GST_VIDEO_FORMAT_INFO_H_SUB(format, from))};
  }
  return picture;
}

ImageView luma_of(const GstVideoFrame& frame, int width, int height, Image& scratch) {
  ColorPicture picture;
  if (GST_VIDEO_INFO_IS_RGB(&frame.info)) picture.space = ColorSpace::rgb;
  picture.width = width;
  picture.height = height;
  for (unsigned c = 0; c < (GST_VIDEO_INFO_IS_RGB(&frame.info) ? 3 : 1); ++c) {
    picture.components[c] = {
        .data = static_cast<const std::uint8_t*>(GST_VIDEO_FRAME_COMP_DATA(&frame, c)),
        .stride = GST_VIDEO_FRAME_COMP_STRIDE(&frame, c),
        .step = GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c)};
  }
  return cltrack::luma_of(picture, scratch);
}

}  // namespace cltrack::gst
