// SPDX-License-Identifier: LGPL-2.1-or-later
// The colour model of an object: a range of hue, saturation and value, without colours of the
// background.
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
  float hue = 0;         // degrees, 0 (red) up to 360; 0 for greys
  float saturation = 0;  // 0 (grey) to 1
  float value = 0;       // 0 (black) to 1: the largest component
};

// Converts a colour, whose components must be 0 to 1 each: nothing is checked.
CLTRACK_API Hsv to_hsv(const Rgb& color);

// A colour in both representations that models need; converts once for many models.
struct CLTRACK_API ColorValues {
  // The values of a colour whose components are 0 to 1 each.
  explicit ColorValues(const Rgb& color);

  Hsv hsv;
  std::uint8_t rgb[3];  // 0 to 255
};

// The range of a set of colours, ends included.
struct ColorBounds {
  ColorValues low;
  ColorValues high;

  // The range of one colour.
  explicit ColorBounds(const ColorValues& first) : low(first), high(first) {}
  // Extends the range to include `color`.
  void add(const ColorValues& color);
};

// Hues from hue_min up to hue_max; if hue_min is greater, the range includes 0: 340 to 20 is red.
// Ends are included.
struct HsvRange {
  float hue_min = 0;  // degrees, 0 to 360
  float hue_max = 360;
  float saturation_min = 0;  // 0 to 1
  float saturation_max = 1;
  float value_min = 0;  // 0 to 1
  float value_max = 1;

  // Whether all three values are in range.
  bool contains(const Hsv& color) const;
  // False only if it contains no colour with all values between those of `low` and `high`.
  bool may_contain(const Hsv& low, const Hsv& high) const;
  friend bool operator==(const HsvRange&, const HsvRange&) = default;
};

class CLTRACK_API ColorModel {
 public:
  // Throws Error{invalid_argument} if a value is outside of the limits in HsvRange, or a minimum is
  // greater than its maximum (except for hue).
  explicit ColorModel(const HsvRange& range);

  // Contains no colour.
  static ColorModel nothing();

  // Colours whose components differ by at most `tolerance` (0 to 255) from red, green and blue (0
  // to 255). Throws Error{invalid_argument} on other values.
  static ColorModel near(int red, int green, int blue, int tolerance);

  // Learns the colour of the object in `box`: the most frequent hue in the ellipse inside the box,
  // and ranges around it that hold four fifths of its hue, saturation and value; or a range of
  // greys if most pixels have no colour. Excludes colours that are more frequent around the box
  // than in it. Throws Error{invalid_argument} if the box is outside of the picture, or no colour
  // is left.
  static ColorModel learn(const ColorPicture& picture, const BoundingBox& box);

  // Whether the colour belongs to the model.
  bool contains(const Rgb& color) const { return contains(ColorValues(color)); }
  bool contains(const ColorValues& color) const;
  // False only if no colour within `bounds` belongs to the model.
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
  std::vector<bool> excluded_;  // index: color_cell() of RGB; empty: none
};

}  // namespace cltrack
