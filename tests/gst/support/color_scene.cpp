// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color_scene.h"

#include <cstring>

namespace cltrack::test {

BufferPtr color_picture(const std::vector<ColorPatch>& patches, GstVideoFormat format) {
  GstVideoInfo from, to;
  gst_video_info_set_format(&from, GST_VIDEO_FORMAT_RGB, kColorWidth, kColorHeight);
  gst_video_info_set_format(&to, format, kColorWidth, kColorHeight);
  BufferPtr rgb(gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&from), nullptr));
  GstVideoFrame source;
  gst_video_frame_map(&source, &from, rgb.get(), GST_MAP_READWRITE);
  const auto put = [&](int x, int y, const std::array<guint8, 3>& color) {
    auto* row = static_cast<guint8*>(GST_VIDEO_FRAME_PLANE_DATA(&source, 0)) +
                y * GST_VIDEO_FRAME_PLANE_STRIDE(&source, 0);
    std::memcpy(row + 3 * x, color.data(), 3);
  };
  for (int y = 0; y < kColorHeight; ++y) {
    for (int x = 0; x < kColorWidth; ++x) put(x, y, {100, 105, 100});
  }
  for (const ColorPatch& p : patches) {
    for (int y = p.y; y < p.y + p.height; ++y) {
      for (int x = p.x; x < p.x + p.width; ++x) put(x, y, p.color);
    }
  }
  BufferPtr result(gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&to), nullptr));
  GstVideoFrame target;
  gst_video_frame_map(&target, &to, result.get(), GST_MAP_WRITE);
  GstVideoConverter* converter = gst_video_converter_new(&from, &to, nullptr);
  gst_video_converter_frame(converter, &source, &target);
  gst_video_converter_free(converter);
  gst_video_frame_unmap(&target);
  gst_video_frame_unmap(&source);
  return result;
}

}  // namespace cltrack::test
