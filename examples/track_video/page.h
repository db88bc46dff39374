// SPDX-License-Identifier: LGPL-2.1-or-later
// A white page that is drawn on with Cairo and Pango, and written as PNG.
#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include <filesystem>
#include <string>

#include "overlay/overlay_style.h"
#include "scoped.h"

namespace track_video {

using cltrack::gst::Color;

inline constexpr Color kBlack{0.13, 0.13, 0.13};
inline constexpr Color kGrey{0.45, 0.45, 0.45};

class Page {
 public:
  // Throws std::runtime_error if there is no memory for it.
  Page(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }
  cairo_t* cairo() const { return cairo_.get(); }

  void fill(double x, double y, double width, double height, const Color& color) const;

  enum class Align { left, middle, right };

  // One line of UTF-8 whose top is at y; x is its left end, its middle or its right end. What is
  // longer than `width` ends in dots. Returns how wide it is.
  double text(double x, double y, double width, const std::string& words, const Color& color,
              double size = 13, Align align = Align::left, bool bold = false) const;

  // Replaces the file, or leaves it as it was: throws std::runtime_error if it cannot be written.
  void write(const std::filesystem::path& path) const;

 private:
  int width_;
  int height_;
  cltrack::gst::Scoped<cairo_surface_t, cairo_surface_destroy> surface_;
  cltrack::gst::Scoped<cairo_t, cairo_destroy> cairo_;
  cltrack::gst::Scoped<PangoFontMap, g_object_unref> font_map_;
  cltrack::gst::Scoped<PangoContext, g_object_unref> context_;
};

}  // namespace track_video
