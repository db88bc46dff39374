// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_painter.h"

#include <glib.h>
#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "overlay/overlay_style.h"

namespace cltrack::gst {
namespace {

// Far beyond what fits into a tag; shaping a text takes time for every character of it.
constexpr std::size_t kMaxLabelBytes = 256;

// Labels come from other elements, and so can hold anything.
std::string printable(const std::string& label) {
  const std::size_t size = std::min(label.size(), kMaxLabelBytes);
  const std::unique_ptr<char, decltype(&g_free)> valid(
      g_utf8_make_valid(label.data(), static_cast<gssize>(size)), g_free);
  std::string text;
  for (const char* at = valid.get(); *at != '\0'; at = g_utf8_next_char(at)) {
    const gunichar character = g_utf8_get_char(at);
    if (g_unichar_iscntrl(character) || g_unichar_isspace(character)) {
      text += ' ';
    } else {
      text.append(at, static_cast<std::size_t>(g_utf8_next_char(at) - at));
    }
  }
  if (label.size() > size) text += "…";
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::string tag_text(const TrackRegion& region, const OverlayStyle& style) {
  if (!style.label_template.is_empty()) return printable(style.label_template.fill(region));
  std::string text;
  const auto add = [&text](const std::string& word) {
    if (word.empty()) return;
    if (!text.empty()) text += ' ';
    text += word;
  };
  if (style.show_label) add(printable(region.label));
  if (style.show_id) add('#' + std::to_string(region.id));
  if (style.show_confidence && region.confidence && region.state != TrackState::lost &&
      std::isfinite(*region.confidence)) {
    add(std::to_string(std::lround(100 * std::clamp(*region.confidence, 0.0f, 1.0f))) + '%');
  }
  if (style.show_state && region.state && region.state != TrackState::tracking) {
    add(to_string(*region.state));
  }
  return text;
}

namespace {

constexpr std::size_t kLongestFont = 1024;  // bytes, as of label-template
constexpr double kContourAlpha = 0.55;

using Context = Scoped<cairo_t, cairo_destroy>;

void set_opaque_source(cairo_t* cairo, const Color& color) {
  cairo_set_source_rgb(cairo, color.red, color.green, color.blue);
}

// Opacity holds for all that `paint` draws, not for each stroke over the one before it.
template <typename Paint>
void paint_as_one(cairo_t* cairo, double opacity, Paint&& paint) {
  if (opacity >= 1) return paint();
  cairo_push_group(cairo);
  paint();
  cairo_pop_group_to_source(cairo);
  cairo_paint_with_alpha(cairo, opacity);
}

// Lengths in line widths: dashes differ from dots at a glance, and a line of one pixel has both.
struct DashLengths {
  double dash, gap;
};

DashLengths dash_lengths(LinePattern pattern, int line_width) {
  const double unit = std::max(line_width, 2);
  return pattern == LinePattern::dotted ? DashLengths{unit, 2 * unit}
                                        : DashLengths{5 * unit, 3 * unit};
}

// A side from one corner to the other; its dashes are `grow` pixels longer at either end. The
// pattern is stretched so that half a dash lies in each corner.
void stroke_side(cairo_t* cairo, double x0, double y0, double x1, double y1,
                 const OutlineStyle& style, int grow) {
  const double length = std::hypot(x1 - x0, y1 - y0);
  const DashLengths wanted = dash_lengths(style.pattern, style.line_width);
  const double period = wanted.dash + wanted.gap;
  const double stretch = length / period / std::max(1.0, std::round(length / period));
  const double dash = wanted.dash * stretch + 2 * grow;
  const double lengths[] = {dash, std::max(period * stretch - dash, 0.5)};
  cairo_set_dash(cairo, lengths, 2, dash / 2);
  cairo_move_to(cairo, x0, y0);
  cairo_line_to(cairo, x1, y1);
  cairo_stroke(cairo);
}

// Nothing is drawn from here on but the corners of `box`, as far as the arms reach.
void clip_to_corners(cairo_t* cairo, const PixelRect& box, int arm, int grow) {
  const int reach = arm + 2 * grow;
  for (const int x : {box.x - grow, box.right() + grow - reach}) {
    for (const int y : {box.y - grow, box.bottom() + grow - reach}) {
      cairo_rectangle(cairo, x, y, reach, reach);
    }
  }
  cairo_clip(cairo);
}

// With `grow` 0 the line, else its contour, which comes first.
void stroke_box(cairo_t* cairo, const PixelRect& box, const OutlineStyle& style, int grow) {
  const double width = style.line_width;
  const double left = box.x + width / 2;
  const double top = box.y + width / 2;
  const double right = box.right() - width / 2;
  const double bottom = box.bottom() - width / 2;
  if (right - left <= width || bottom - top <= width) {  // nothing inside the line
    cairo_rectangle(cairo, box.x - grow, box.y - grow, box.width + 2 * grow, box.height + 2 * grow);
    cairo_fill(cairo);
    return;
  }
  if (style.arm > 0) clip_to_corners(cairo, box, style.arm, grow);
  cairo_set_line_width(cairo, width + 2 * grow);
  if (style.pattern == LinePattern::solid) {
    cairo_rectangle(cairo, left, top, right - left, bottom - top);
    cairo_stroke(cairo);
    return;
  }
  // Whole sides, so that the corners are filled.
  stroke_side(cairo, box.x, top, box.right(), top, style, grow);
  stroke_side(cairo, box.x, bottom, box.right(), bottom, style, grow);
  stroke_side(cairo, left, box.y, left, box.bottom(), style, grow);
  stroke_side(cairo, right, box.y, right, box.bottom(), style, grow);
}

bool has_family(PangoFontMap* font_map, const char* wanted) {
  PangoFontFamily** families = nullptr;
  int count = 0;
  pango_font_map_list_families(font_map, &families, &count);
  const Scoped<PangoFontFamily*, g_free> owner(families);
  return std::any_of(families, families + count, [wanted](PangoFontFamily* family) {
    return g_ascii_strcasecmp(pango_font_family_get_name(family), wanted) == 0;
  });
}

// A description can name several families, separated by commas. One of them is enough.
bool has_any_family(PangoFontMap* font_map, const char* families) {
  const Scoped<char*, g_strfreev> names(g_strsplit(families, ",", -1));
  for (char** name = names.get(); *name != nullptr; ++name) {
    if (has_family(font_map, g_strstrip(*name))) return true;
  }
  return false;
}

}  // namespace

int contour_width(int line_width) { return line_width >= 2 ? 1 : 0; }

int corner_arm(const PixelRect& box, int line_width) {
  const int shorter = std::min(box.width, box.height);
  const int arm = std::max(shorter / 4, 3 * line_width);
  return 3 * arm <= shorter ? arm : 0;
}

std::vector<PixelRect> outline_pieces(const PixelRect& box, int line_width, int arm) {
  const int contour = contour_width(line_width);
  const int band = line_width + 2 * contour;
  const PixelRect outer{box.x - contour, box.y - contour, box.width + 2 * contour,
                        box.height + 2 * contour};
  if (outer.width <= 2 * band || outer.height <= 2 * band) return {outer};
  if (arm > 0) {
    const int reach = arm + 2 * contour;
    const int right = outer.right() - reach;
    const int bottom = outer.bottom() - reach;
    return {{outer.x, outer.y, reach, reach},
            {right, outer.y, reach, reach},
            {outer.x, bottom, reach, reach},
            {right, bottom, reach, reach}};
  }
  const int side_height = outer.height - 2 * band;
  return {
      {outer.x, outer.y, outer.width, band},
      {outer.x, outer.y + band, band, side_height},
      {outer.right() - band, outer.y + band, band, side_height},
      {outer.x, outer.bottom() - band, outer.width, band},
  };
}

Raster paint_outline(const PixelRect& box, const PixelRect& piece, const OutlineStyle& style) {
  Raster raster(piece.width, piece.height);
  const Context cairo(cairo_create(raster.surface()));
  cairo_translate(cairo.get(), -piece.x, -piece.y);
  paint_as_one(cairo.get(), style.color.alpha * style.opacity, [&] {
    if (const int contour = contour_width(style.line_width); contour > 0) {
      if (style.pattern == LinePattern::solid) {
        cairo_set_source_rgba(cairo.get(), 0, 0, 0, kContourAlpha);
        stroke_box(cairo.get(), box, style, contour);
      } else {
        // Lest the contour gets darker where sides meet.
        paint_as_one(cairo.get(), kContourAlpha, [&] {
          cairo_set_source_rgb(cairo.get(), 0, 0, 0);
          stroke_box(cairo.get(), box, style, contour);
        });
      }
    }
    set_opaque_source(cairo.get(), style.color);
    stroke_box(cairo.get(), box, style, 0);
  });
  cairo_surface_flush(raster.surface());
  return raster;
}

Raster paint_fill(const PixelRect& place) {
  Raster raster(place.width, place.height);
  const Context cairo(cairo_create(raster.surface()));
  cairo_set_source_rgb(cairo.get(), 0, 0, 0);
  cairo_paint(cairo.get());
  cairo_surface_flush(raster.surface());
  return raster;
}

TagPainter::TagPainter()
    : font_map_(pango_cairo_font_map_new()),
      context_(pango_font_map_create_context(font_map_.get())) {
  // Sub-pixel antialiasing is for the display it was made for, not for video.
  const Scoped<cairo_font_options_t, cairo_font_options_destroy> options(
      cairo_font_options_create());
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_ON);
  pango_cairo_context_set_font_options(context_.get(), options.get());
}

std::string TagPainter::set_font(const std::string& description, int size, int default_size) {
  std::string problem;
  bool readable = g_utf8_validate(description.c_str(), -1, nullptr);
  if (!readable) problem = "the font's description is not valid UTF-8";
  if (description.size() > kLongestFont) {  // Pango looks for each family in it
    readable = false;
    problem = "the font's description has more than " + std::to_string(kLongestFont) +
              " bytes; drawing with Sans";
  }
  font_.reset(pango_font_description_from_string(readable ? description.c_str() : ""));

  const char* family = pango_font_description_get_family(font_.get());
  if (family == nullptr) {
    pango_font_description_set_family_static(font_.get(), "Sans");
  } else if (!has_any_family(font_map_.get(), family)) {
    problem = "no font family \"" + std::string(family) +
              "\" is installed (fc-list lists the installed ones); drawing with the closest one";
  }

  double pixels = size;
  if (size <= 0) {
    pixels = pango_font_description_get_size(font_.get()) / static_cast<double>(PANGO_SCALE);
    // 96 dots and 72 points per inch, as everywhere else in Pango.
    if (!pango_font_description_get_size_is_absolute(font_.get())) pixels *= 96.0 / 72.0;
    if (!(pixels > 0)) pixels = default_size;
  }
  pixels = std::clamp(pixels, static_cast<double>(kMinFontSize), static_cast<double>(kMaxFontSize));
  pango_font_description_set_absolute_size(font_.get(), pixels * PANGO_SCALE);
  return problem;
}

Raster TagPainter::paint(const std::string& text, const Color& ground, double opacity,
                         int max_width, int max_height) {
  const Scoped<PangoLayout, g_object_unref> layout(pango_layout_new(context_.get()));
  pango_layout_set_font_description(layout.get(), font_.get());
  pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
  pango_layout_set_text(layout.get(), text.data(), static_cast<int>(text.size()));

  int text_width = 0;
  int text_height = 0;
  pango_layout_get_pixel_size(layout.get(), &text_width, &text_height);
  const int padding = std::max(2, text_height / 5);
  if (text_width + 2 * padding > max_width) {
    // In the middle: a long label must not push the state out at the end.
    pango_layout_set_ellipsize(layout.get(), PANGO_ELLIPSIZE_MIDDLE);
    pango_layout_set_width(layout.get(), std::max(1, max_width - 2 * padding) * PANGO_SCALE);
    pango_layout_get_pixel_size(layout.get(), &text_width, &text_height);
  }

  Raster raster(std::min(text_width + 2 * padding, max_width), std::min(text_height, max_height));
  const Context cairo(cairo_create(raster.surface()));
  paint_as_one(cairo.get(), ground.alpha * opacity, [&] {
    set_opaque_source(cairo.get(), ground);
    cairo_paint(cairo.get());
    set_opaque_source(cairo.get(), text_color_on(ground));
    cairo_move_to(cairo.get(), padding, 0);
    pango_cairo_show_layout(cairo.get(), layout.get());
  });
  cairo_surface_flush(raster.surface());
  return raster;
}

}  // namespace cltrack::gst
