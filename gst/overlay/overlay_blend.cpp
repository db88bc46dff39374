// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_blend.h"

#include <gst/video/video-overlay-composition.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "overlay/overlay_layer.h"
#include "pictures/aligned_frame.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

using Rectangle = Scoped<GstVideoOverlayRectangle, gst_video_overlay_rectangle_unref>;
using Composition = Scoped<GstVideoOverlayComposition, gst_video_overlay_composition_unref>;

Rectangle make_rectangle(const OverlayPatch& patch, int x_offset) {
  const PixelRect& place = patch.place;
  return Rectangle(gst_video_overlay_rectangle_new_raw(
      patch.pixels.get(), place.x - x_offset, place.y, static_cast<guint>(place.width),
      static_cast<guint>(place.height), GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE));
}

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

void drop_split_group(GstVideoFrame& frame) {
  const int width = GST_VIDEO_FRAME_WIDTH(&frame);
  if (GST_VIDEO_FRAME_FORMAT(&frame) == GST_VIDEO_FORMAT_UYVP &&
      GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0) < (width + 1) / 2 * 5) {
    frame.info.width = width - 1;
  }
}

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

bool blend_patches(const GstVideoFrame& whole_frame, std::span<const OverlayPatch> patches) {
  AlignedFrame aligned(whole_frame);
  GstVideoFrame frame = aligned.get();
  drop_split_group(frame);
  const int frame_width = GST_VIDEO_FRAME_WIDTH(&frame);
  GstVideoFrame window;
  const bool has_windows = make_window(frame, 0, frame_width, window);
  bool all_blended = true;
  const auto blend = [&](const OverlayPatch& patch) {
    const int left = has_windows ? round_to_window(patch.place.x) : 0;
    const int right = std::min(round_up_to_window(patch.place.right()), frame_width);
    if (!has_windows || !make_window(frame, left, right - left, window)) window = frame;
    const Rectangle rectangle = make_rectangle(patch, left);
    const Composition composition(gst_video_overlay_composition_new(rectangle.get()));
    all_blended &= gst_video_overlay_composition_blend(composition.get(), &window) != FALSE;
  };
  lay_over_each_other(patches, frame_width, GST_VIDEO_FRAME_HEIGHT(&frame), !has_windows, blend);
  aligned.write_back();
  return all_blended;
}

void attach_patches(GstBuffer* buffer, std::span<const OverlayPatch> patches) {
  if (patches.empty()) return;
  GstVideoOverlayCompositionMeta* meta = gst_buffer_get_video_overlay_composition_meta(buffer);
  // Compositions are shared between buffers: what another element made is copied, not changed.
  Composition composition(meta != nullptr ? gst_video_overlay_composition_copy(meta->overlay)
                                          : gst_video_overlay_composition_new(nullptr));
  for (const OverlayPatch& patch : patches) {
    gst_video_overlay_composition_add_rectangle(composition.get(), make_rectangle(patch, 0).get());
  }
  if (meta != nullptr) {
    const Composition previous(std::exchange(meta->overlay, composition.release()));
  } else {
    gst_buffer_add_video_overlay_composition_meta(buffer, composition.get());
  }
}

}  // namespace cltrack::gst
