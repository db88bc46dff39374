// SPDX-License-Identifier: LGPL-2.1-or-later
#include "page.h"

#include <pango/pangocairo.h>

#include <stdexcept>
#include <system_error>

#include "quote.h"

namespace track_video {

using cltrack::gst::Scoped;

Page::Page(int width, int height)
    : width_(width),
      height_(height),
      surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)),
      cairo_(cairo_create(surface_.get())),
      font_map_(pango_cairo_font_map_new()),
      context_(pango_font_map_create_context(font_map_.get())) {
  if (cairo_status(cairo_.get()) != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error("no page of " + std::to_string(width) + "x" + std::to_string(height) +
                             " pixels: " + cairo_status_to_string(cairo_status(cairo_.get())));
  }
  fill(0, 0, width, height, {1, 1, 1});
}

void Page::fill(double x, double y, double width, double height, const Color& color) const {
  cairo_set_source_rgba(cairo(), color.red, color.green, color.blue, color.alpha);
  cairo_rectangle(cairo(), x, y, width, height);
  cairo_fill(cairo());
}

double Page::text(double x, double y, double width, const std::string& words, const Color& color,
                  double size, Align align, bool bold) const {
  const Scoped<PangoFontDescription, pango_font_description_free> font(
      pango_font_description_from_string(bold ? "Sans Bold" : "Sans"));
  pango_font_description_set_absolute_size(font.get(), size * PANGO_SCALE);
  const Scoped<PangoLayout, g_object_unref> layout(pango_layout_new(context_.get()));
  pango_layout_set_font_description(layout.get(), font.get());
  pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
  pango_layout_set_width(layout.get(), static_cast<int>(width * PANGO_SCALE));
  pango_layout_set_ellipsize(layout.get(), PANGO_ELLIPSIZE_END);
  pango_layout_set_text(layout.get(), words.data(), static_cast<int>(words.size()));
  int drawn_width = 0;
  pango_layout_get_pixel_size(layout.get(), &drawn_width, nullptr);
  if (align != Align::left) x -= align == Align::right ? drawn_width : drawn_width / 2.0;
  cairo_set_source_rgba(cairo(), color.red, color.green, color.blue, color.alpha);
  cairo_move_to(cairo(), x, y);
  pango_cairo_show_layout(cairo(), layout.get());
  return drawn_width;
}

void Page::write(const std::filesystem::path& path) const {
  std::filesystem::path part = path;
  part += ".part";
  const cairo_status_t status = cairo_surface_write_to_png(surface_.get(), part.c_str());
  std::error_code error;
  if (status == CAIRO_STATUS_SUCCESS) std::filesystem::rename(part, path, error);
  if (status == CAIRO_STATUS_SUCCESS && !error) return;
  const std::string why =
      error ? error.message() : std::string(cairo_status_to_string(status)) + " (disk full?)";
  std::filesystem::remove(part, error);
  throw std::runtime_error("cannot write " + quote(path.string()) + ": " + why);
}

}  // namespace track_video
