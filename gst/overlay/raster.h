// SPDX-License-Identifier: LGPL-2.1-or-later
// A small bitmap that Cairo paints on, and the outlines of `draw-rect`.
#pragma once

#include <cairo.h>
#include <gst/video/video.h>

#include <span>

#include "cltrack/track.h"
#include "scoped.h"

namespace cltrack::gst {

// A bitmap of premultiplied ARGB, 32 bits a pixel in the machine's byte order (in memory BGRA on a
// little-endian one), rows `stride` bytes apart.
class Raster {
 public:
  // Transparent. Throws cltrack::Error if there is no memory for it.
  Raster(int width, int height);

  int width() const;
  int height() const;
  int stride() const;
  const unsigned char* data() const;
  cairo_surface_t* surface() const { return surface_.get(); }

  // Divides the colours by alpha, as GStreamer does: Cairo cannot draw on it any more.
  void unpremultiply();

  // Gives the surface away; the raster is empty afterwards.
  cairo_surface_t* release() { return surface_.release(); }

 private:
  Scoped<cairo_surface_t, cairo_surface_destroy> surface_;
};

// The rectangles of the property "draw-rect".

// Blends a red line of two pixels, just inside of its box, into `frame` for every track with a box.
// `frame` is mapped for reading and writing.
void draw_outlines(GstVideoFrame* frame, std::span<const Track> tracks);

}  // namespace cltrack::gst
