// SPDX-License-Identifier: LGPL-2.1-or-later
#include "outline.h"

#include <gst/video/video-overlay-composition.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace cltrack::gst {
namespace {

constexpr int kLineWidth = 2;
constexpr guint32 kRed = 0xFFFF0000;  // ARGB, in the byte order of this machine as compositions are

// Left, top, right and bottom edge in pixels, right and bottom exclusive.
struct Edges {
  int left, top, right, bottom;
};

void add_bar(GstVideoOverlayComposition* composition, const Edges& bar) {
  const int width = bar.right - bar.left;
  const int height = bar.bottom - bar.top;
  if (width <= 0 || height <= 0) return;
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  auto* pixels = g_new(guint32, count);
  std::fill_n(pixels, count, kRed);
  GstBuffer* buffer = gst_buffer_new_wrapped(pixels, count * sizeof(guint32));
  gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE,
                            GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, static_cast<guint>(width),
                            static_cast<guint>(height));
  GstVideoOverlayRectangle* rectangle = gst_video_overlay_rectangle_new_raw(
      buffer, bar.left, bar.top, static_cast<guint>(width), static_cast<guint>(height),
      GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  gst_buffer_unref(buffer);
  gst_video_overlay_composition_add_rectangle(composition, rectangle);
  gst_video_overlay_rectangle_unref(rectangle);
}

void add_outline(GstVideoOverlayComposition* composition, const Edges& box) {
  const int top = std::min(box.top + kLineWidth, box.bottom);
  const int bottom = std::max(box.bottom - kLineWidth, top);
  add_bar(composition, {box.left, box.top, box.right, top});
  add_bar(composition, {box.left, bottom, box.right, box.bottom});
  add_bar(composition, {box.left, top, std::min(box.left + kLineWidth, box.right), bottom});
  add_bar(composition, {std::max(box.right - kLineWidth, box.left), top, box.right, bottom});
}

}  // namespace

void draw_outlines(GstVideoFrame* frame, std::span<const Track> tracks) {
  GstVideoOverlayComposition* composition = gst_video_overlay_composition_new(nullptr);
  for (const Track& track : tracks) {
    if (!track.has_box() || !track.box.is_valid()) continue;
    const BoundingBox box =
        clip_to_frame(track.box, GST_VIDEO_FRAME_WIDTH(frame), GST_VIDEO_FRAME_HEIGHT(frame));
    add_outline(
        composition,
        {static_cast<int>(std::lround(box.x)), static_cast<int>(std::lround(box.y)),
         static_cast<int>(std::lround(box.right())), static_cast<int>(std::lround(box.bottom()))});
  }
  gst_video_overlay_composition_blend(composition, frame);
  gst_video_overlay_composition_unref(composition);
}

}  // namespace cltrack::gst
