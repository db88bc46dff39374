// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/outline.h"

#include <gst/video/video-overlay-composition.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "overlay/overlay_blend.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

constexpr int kLineWidth = 2;
constexpr guint32 kRed = 0xFFFF0000;  // ARGB, in the byte order of this machine as compositions are

// Left, top, right and bottom edge in pixels, right and bottom exclusive.
struct Edges {
  int left, top, right, bottom;
};

void add_bar(std::vector<OverlayPatch>& patches, const Edges& bar) {
  const int width = bar.right - bar.left;
  const int height = bar.bottom - bar.top;
  if (width <= 0 || height <= 0) return;
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  auto* pixels = g_new(guint32, count);
  std::fill_n(pixels, count, kRed);
  const auto buffer =
      shared<gst_buffer_unref>(gst_buffer_new_wrapped(pixels, count * sizeof(guint32)));
  gst_buffer_add_video_meta(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE,
                            GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, static_cast<guint>(width),
                            static_cast<guint>(height));
  patches.push_back({buffer, {bar.left, bar.top, width, height}});
}

void add_outline(std::vector<OverlayPatch>& patches, const Edges& box) {
  const int top = std::min(box.top + kLineWidth, box.bottom);
  const int bottom = std::max(box.bottom - kLineWidth, top);
  add_bar(patches, {box.left, box.top, box.right, top});
  add_bar(patches, {box.left, bottom, box.right, box.bottom});
  add_bar(patches, {box.left, top, std::min(box.left + kLineWidth, box.right), bottom});
  add_bar(patches, {std::max(box.right - kLineWidth, box.left), top, box.right, bottom});
}

}  // namespace

void draw_outlines(GstVideoFrame* frame, std::span<const Track> tracks) {
  std::vector<OverlayPatch> patches;
  for (const Track& track : tracks) {
    if (!track.has_box() || !track.box.is_valid()) continue;
    const BoundingBox box =
        clip_to_frame(track.box, GST_VIDEO_FRAME_WIDTH(frame), GST_VIDEO_FRAME_HEIGHT(frame));
    add_outline(
        patches,
        {static_cast<int>(std::lround(box.x)), static_cast<int>(std::lround(box.y)),
         static_cast<int>(std::lround(box.right())), static_cast<int>(std::lround(box.bottom()))});
  }
  blend_patches(*frame, patches);
}

}  // namespace cltrack::gst
