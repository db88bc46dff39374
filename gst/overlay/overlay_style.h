// SPDX-License-Identifier: LGPL-2.1-or-later
// How trackoverlay draws: colours, label templates, and what the user sets.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "metadata/track_meta.h"

namespace cltrack::gst {

// Colours of trackoverlay.

// Components from 0 to 1, not premultiplied.
struct Color {
  double red = 0;
  double green = 0;
  double blue = 0;
  double alpha = 1;

  friend bool operator==(const Color&, const Color&) = default;
  friend auto operator<=>(const Color&, const Color&) = default;
};

// 0xAARRGGBB. Where alpha is 0 (0x00ff0000, as one writes red elsewhere) it is taken as opaque:
// nobody asks for a colour in order to see nothing.
Color color_from_argb(std::uint32_t argb);

// Well visible, the same for the same id every time, and far from those of the ids next to it.
// `tracker`: which of several trackers has it, from 0; each numbers its own.
Color color_of_id(int id, std::size_t tracker = 0);

// For what is lost.
Color lost_color();

// Black or white, whichever is easier to read on `background`.
Color text_color_on(const Color& background);

// The text that users want to read in the tags: "{label} #{id} {confidence}%".
class LabelTemplate {
 public:
  // Nothing is wanted.
  LabelTemplate() = default;

  // Names in braces are fields; "{{" and "}}" are braces. Throws Error{invalid_argument} that names
  // what is allowed for an unknown field, a brace without another, more than kMostBytes, and what
  // is not UTF-8.
  explicit LabelTemplate(std::string_view text);

  bool is_empty() const { return parts_.empty(); }
  const std::string& text() const { return text_; }

  // With what is known of a region in place of the fields, and "-" for what is not. Labels are
  // taken as they are.
  std::string fill(const TrackRegion& region) const;

  static constexpr std::size_t kMostBytes = 1024;

 private:
  using Field = std::string (*)(const TrackRegion& region);
  struct Part {
    std::string text;
    Field field = nullptr;  // behind the text
  };

  static Field find_field(std::string_view name);

  std::string text_;
  std::vector<Part> parts_;
};

// How trackoverlay draws: what the user sets, and what that means on a picture of a given height.

// The kinds of drawings where a region is.
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
  bool show_zones = true;
  std::uint32_t zone_color = 0;  // 0xAARRGGBB; 0: one for each zone
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
