// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/raster.h"

#include <gst/video/video-overlay-composition.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "overlay/overlay_blend.h"
#include "scoped.h"

namespace cltrack::gst {

Raster::Raster(int width, int height)
    : surface_(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height)) {
  if (cairo_surface_status(surface()) != CAIRO_STATUS_SUCCESS) {
    throw Error(ErrorCode::failed, "no bitmap of " + std::to_string(width) + "x" +
                                       std::to_string(height) + " pixels for the overlay: " +
                                       cairo_status_to_string(cairo_surface_status(surface())));
  }
}

int Raster::width() const { return cairo_image_surface_get_width(surface()); }
int Raster::height() const { return cairo_image_surface_get_height(surface()); }
int Raster::stride() const { return cairo_image_surface_get_stride(surface()); }
const unsigned char* Raster::data() const { return cairo_image_surface_get_data(surface()); }

void Raster::unpremultiply() {
  cairo_surface_flush(surface());
  unsigned char* row = cairo_image_surface_get_data(surface());
  const int columns = width();
  for (int left = height(); left > 0; --left, row += stride()) {
    auto* pixels = reinterpret_cast<std::uint32_t*>(row);  // 0xAARRGGBB
    for (int x = 0; x < columns; ++x) {
      const std::uint32_t alpha = pixels[x] >> 24;
      const bool is_black = (pixels[x] & 0xffffff) == 0;
      if (alpha == 255 || is_black) continue;
      std::uint32_t straight = alpha << 24;
      for (const int shift : {16, 8, 0}) {
        const std::uint32_t color = ((pixels[x] >> shift & 0xff) * 255 + alpha / 2) / alpha;
        straight |= std::min(color, std::uint32_t{255}) << shift;
      }
      pixels[x] = straight;
    }
  }
}

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
