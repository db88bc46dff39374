// SPDX-License-Identifier: LGPL-2.1-or-later
// Colours of trackoverlay.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace cltrack::gst {

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

}  // namespace cltrack::gst
