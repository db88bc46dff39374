// SPDX-License-Identifier: LGPL-2.1-or-later
// Paints boxes, and the text of their tags, with Cairo and Pango.
#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include <compare>
#include <string>
#include <vector>

#include "metadata/track_meta.h"
#include "overlay/overlay_style.h"
#include "overlay/raster.h"
#include "pictures/pixel_rect.h"
#include "scoped.h"

namespace cltrack::gst {

// The text in the tag of a box.

// Label, id, confidence and state, in this order, as far as `style` asks for them and the region
// has them: "bottle #2 87% uncertain". The state is spelled out unless it is `tracking`: that is
// what a solid line says already. Or else what the template of `style` says. Always valid UTF-8 on
// one line and of bounded length, whatever the label is; empty if there is nothing to say.
std::string tag_text(const TrackRegion& region, const OverlayStyle& style);

// Paints one set of marks, a box and its tag, with Cairo and Pango into bitmaps of their own. Knows
// pixels and text; neither buffers nor elements.

enum class LinePattern { solid, dashed, dotted };

struct OutlineStyle {
  Color color;
  LinePattern pattern = LinePattern::solid;
  int line_width = 2;
  double opacity = 1;
  int arm = 0;  // pixels from a corner that the line is drawn for; 0: whole sides

  friend auto operator<=>(const OutlineStyle&, const OutlineStyle&) = default;
};

// Lines lie on the outermost pixels of the box. Those of two pixels and more have a dark contour
// of one pixel on either side, so that they stand out from a picture of their own colour.
int contour_width(int line_width);

// The rectangles, none over another, that the outline of `box` covers: four sides, or one rectangle
// where they would meet. What a picture of the whole box would cost is saved. With `arm` the four
// corners.
std::vector<PixelRect> outline_pieces(const PixelRect& box, int line_width, int arm = 0);

// The arm of a box with nothing but corners; 0 if it is too small to tell them from whole sides.
int corner_arm(const PixelRect& box, int line_width);

// The part of the outline of `box` inside `piece`. Dashes start and end in the corners.
Raster paint_outline(const PixelRect& box, const PixelRect& piece, const OutlineStyle& style);

// Black, of the size of `place`.
Raster paint_fill(const PixelRect& place);

// Text on a plain ground. Threading: an instance is for one thread at a time.
class TagPainter {
 public:
  TagPainter();

  // `description` is Pango's; `size` in pixels, 0: the description's, `default_size` if it has
  // none. Never fails: what cannot be had is replaced. Returns what is wrong, empty if nothing is.
  std::string set_font(const std::string& description, int size, int default_size);

  // One line of valid UTF-8, shortened in its middle to fit `max_width`; nowhere larger than
  // max_width x max_height pixels, both of which are at least 1.
  Raster paint(const std::string& text, const Color& ground, double opacity, int max_width,
               int max_height);

 private:
  Scoped<PangoFontMap, g_object_unref> font_map_;  // of our own: the default one is the thread's
  Scoped<PangoContext, g_object_unref> context_;
  Scoped<PangoFontDescription, pango_font_description_free> font_;
};

}  // namespace cltrack::gst
