// SPDX-License-Identifier: LGPL-2.1-or-later
// What colour an object has: a range of hue, saturation and value, without the colours that its
// surroundings show as well.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/color_picture.h"
#include "cltrack/export.h"

namespace cltrack {

struct Rgb {  // 0 to 1 each
  float red = 0;
  float green = 0;
  float blue = 0;
};

struct Hsv {
  float hue = 0;         // degrees, 0 (red) up to 360; 0 where there is no colour
  float saturation = 0;  // 0 (grey) to 1
  float value = 0;       // 0 (black) to 1: the largest component
};

// The same colour. Components must be 0 to 1 each: nothing is checked.
CLTRACK_API Hsv to_hsv(const Rgb& color);

// A colour in all the ways in which models look at it. For those who ask many models about it.
struct CLTRACK_API ColorValues {
  // Of a colour whose components are 0 to 1 each.
  explicit ColorValues(const Rgb& color);

  Hsv hsv;
  std::uint8_t rgb[3];  // 0 to 255
};

// Between which values some colours lie, ends included.
struct ColorBounds {
  ColorValues low;
  ColorValues high;

  // Of `first` alone.
  explicit ColorBounds(const ColorValues& first) : low(first), high(first) {}
  // Widens the bounds so that they include `color`.
  void add(const ColorValues& color);
};

// Hues run from hue_min up to hue_max, through red if hue_min is the greater one: 340 to 20 is red.
// All ends are included.
struct HsvRange {
  float hue_min = 0;  // degrees, 0 to 360
  float hue_max = 360;
  float saturation_min = 0;  // 0 to 1
  float saturation_max = 1;
  float value_min = 0;  // 0 to 1
  float value_max = 1;

  // Whether each value lies in its range.
  bool contains(const Hsv& color) const;
  // False only if it contains no colour whose values each lie between those of `low` and `high`.
  bool may_contain(const Hsv& low, const Hsv& high) const;
  friend bool operator==(const HsvRange&, const HsvRange&) = default;
};

class CLTRACK_API ColorModel {
 public:
  // Throws Error{invalid_argument} if a number is not in the range that HsvRange says, or a minimum
  // lies above its maximum (but for hue).
  explicit ColorModel(const HsvRange& range);

  // Contains no colour.
  static ColorModel nothing();

  // Colours whose components each differ by at most `tolerance` (0 to 255) from red, green and blue
  // (0 to 255). Throws Error{invalid_argument} on other numbers.
  static ColorModel near(int red, int green, int blue, int tolerance);

  // The colour of what fills `box` in the picture: the most frequent hue in the ellipse inside the
  // box and the range around it in which four fifths of its hue, saturation and value lie, or a
  // range of greys if most of it has no colour. Colours that are more frequent around the box than
  // in it are left out. Throws Error{invalid_argument} if the box has no part in the picture, or
  // nothing is left.
  static ColorModel learn(const ColorPicture& picture, const BoundingBox& box);

  // Whether an object of this colour may have such pixels.
  bool contains(const Rgb& color) const { return contains(ColorValues(color)); }
  bool contains(const ColorValues& color) const;
  // False only if no colour between `bounds` is contained.
  bool may_contain(const ColorBounds& bounds) const;
  // "hue 200 to 230, saturation 0.4 to 1, value 0.2 to 0.9" or "rgb 10 20 200 within 30".
  std::string describe() const;

 private:
  friend class ColorLearner;
  ColorModel() = default;

  bool nothing_ = false;
  HsvRange range_;
  int rgb_[3] = {0, 0, 0};
  int tolerance_ = -1;          // not used if negative
  std::vector<bool> excluded_;  // by color_cell() of RGB; empty: none
};

}  // namespace cltrack
