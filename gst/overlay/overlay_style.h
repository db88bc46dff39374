// SPDX-License-Identifier: LGPL-2.1-or-later
// How trackoverlay draws: what the user sets, and what that means on a picture of a given height.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "overlay/label_template.h"

namespace cltrack::gst {

// What is drawn where a region is.
enum class MarkKind {
  box,
  corners,
  blur,      // what is there cannot be recognised
  pixelate,  // the same, in squares
  none,
};

constexpr bool hides_regions(MarkKind mark) {
  return mark == MarkKind::blur || mark == MarkKind::pixelate;
}

// The defaults of the element's properties are those of this struct.
struct OverlayStyle {
  MarkKind mark = MarkKind::box;
  unsigned line_width = 0;  // pixels; 0: scaled with the picture's height
  unsigned font_size = 0;   // pixels; 0: the font's own, else scaled with the picture's height
  std::string font = "Sans Bold";  // a Pango font description
  std::uint32_t color = 0;         // 0xAARRGGBB; 0: one per id
  double opacity = 1.0;            // of everything that is drawn, 0 to 1
  bool show_label = true;
  bool show_id = true;
  bool show_confidence = true;
  bool show_state = true;
  bool show_trail = true;
  LabelTemplate label_template;  // in place of the four; empty: as they say
};

inline constexpr unsigned kMaxLineWidth = 64;
inline constexpr int kMinFontSize = 4;
inline constexpr int kMaxFontSize = 256;
inline constexpr int kMinLegibleFontSize = 11;

inline int effective_line_width(const OverlayStyle& style, int frame_height) {
  if (style.line_width > 0) return static_cast<int>(std::min(style.line_width, kMaxLineWidth));
  if (frame_height < 120) return 1;
  return std::max(2, static_cast<int>(std::lround(frame_height / 240.0)));
}

inline int scaled_font_size(int frame_height) {
  return std::clamp(static_cast<int>(std::lround(frame_height / 40.0)), kMinLegibleFontSize,
                    kMaxFontSize);
}

}  // namespace cltrack::gst
