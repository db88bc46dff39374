// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/raster.h"

#include <gst/video/video-overlay-composition.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cltrack::gst {
namespace {

// As GStreamer does it, for every alpha and colour.
TEST(Raster, UnpremultipliesAsGStreamerDoes) {
  Raster raster(256, 256);
  cairo_surface_flush(raster.surface());
  for (int alpha = 0; alpha < 256; ++alpha) {
    auto* row = reinterpret_cast<std::uint32_t*>(cairo_image_surface_get_data(raster.surface()) +
                                                 alpha * raster.stride());
    for (int color = 0; color < 256; ++color) {
      const int premultiplied = std::min(color, alpha);
      row[color] = static_cast<std::uint32_t>(alpha << 24 | premultiplied << 16 |
                                              (alpha - premultiplied) << 8 | premultiplied / 2);
    }
  }
  const std::size_t size = static_cast<std::size_t>(raster.stride()) * 256;
  GstBuffer* premultiplied = gst_buffer_new_memdup(raster.data(), size);
  gst_buffer_add_video_meta(premultiplied, GST_VIDEO_FRAME_FLAG_NONE,
                            GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 256, 256);
  GstVideoOverlayRectangle* rectangle = gst_video_overlay_rectangle_new_raw(
      premultiplied, 0, 0, 256, 256, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  GstBuffer* straight = gst_video_overlay_rectangle_get_pixels_unscaled_raw(
      rectangle, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  raster.unpremultiply();
  EXPECT_EQ(gst_buffer_memcmp(straight, 0, raster.data(), size), 0);
  gst_video_overlay_rectangle_unref(rectangle);
  gst_buffer_unref(premultiplied);
}

}  // namespace
}  // namespace cltrack::gst
