// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/color_model.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "cltrack/error.h"
#include "ops/color/color_labels.h"

namespace cltrack {
namespace {

std::uint8_t to_byte(float component) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(component, 0.0f, 1.0f) * 255));
}

void check(float value, float smallest, float largest, const char* name) {
  if (value >= smallest && value <= largest) return;  // false for NaN
  std::ostringstream message;
  message << "colour: " << name << " is " << value << "; allowed: " << smallest << " to "
          << largest;
  throw Error(ErrorCode::invalid_argument, message.str());
}

void check_order(float minimum, float maximum, const char* name) {
  if (minimum <= maximum) return;
  std::ostringstream message;
  message << "colour: the least " << name << " is " << minimum << ", above the greatest, "
          << maximum;
  throw Error(ErrorCode::invalid_argument, message.str());
}

}  // namespace

Hsv to_hsv(const Rgb& color) {
  const auto [red, green, blue] = color;
  const float greatest = std::max({red, green, blue});
  const float spread = greatest - std::min({red, green, blue});
  if (spread <= 0) return {0, 0, greatest};
  float sixth = 0;
  if (greatest == red) {
    sixth = (green - blue) / spread;
  } else if (greatest == green) {
    sixth = 2 + (blue - red) / spread;
  } else {
    sixth = 4 + (red - green) / spread;
  }
  const float hue = 60 * sixth;
  return {hue < 0 ? hue + 360 : hue, spread / greatest, greatest};
}

bool HsvRange::contains(const Hsv& color) const {
  const bool hue = hue_min <= hue_max ? color.hue >= hue_min && color.hue <= hue_max
                                      : color.hue >= hue_min || color.hue <= hue_max;
  return hue && color.saturation >= saturation_min && color.saturation <= saturation_max &&
         color.value >= value_min && color.value <= value_max;
}

bool HsvRange::may_contain(const Hsv& low, const Hsv& high) const {
  const bool hue = hue_min <= hue_max ? high.hue >= hue_min && low.hue <= hue_max
                                      : high.hue >= hue_min || low.hue <= hue_max;
  return hue && high.saturation >= saturation_min && low.saturation <= saturation_max &&
         high.value >= value_min && low.value <= value_max;
}

ColorValues::ColorValues(const Rgb& color)
    : hsv(to_hsv(color)), rgb{to_byte(color.red), to_byte(color.green), to_byte(color.blue)} {}

void ColorBounds::add(const ColorValues& color) {
  const auto widen = [](auto& smallest, auto& largest, auto value) {
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  };
  widen(low.hsv.hue, high.hsv.hue, color.hsv.hue);
  widen(low.hsv.saturation, high.hsv.saturation, color.hsv.saturation);
  widen(low.hsv.value, high.hsv.value, color.hsv.value);
  for (int c = 0; c < 3; ++c) widen(low.rgb[c], high.rgb[c], color.rgb[c]);
}

ColorModel::ColorModel(const HsvRange& range) : range_(range) {
  check(range.hue_min, 0, 360, "hue-min");
  check(range.hue_max, 0, 360, "hue-max");
  check(range.saturation_min, 0, 1, "saturation-min");
  check(range.saturation_max, 0, 1, "saturation-max");
  check(range.value_min, 0, 1, "value-min");
  check(range.value_max, 0, 1, "value-max");
  check_order(range.saturation_min, range.saturation_max, "saturation");
  check_order(range.value_min, range.value_max, "value");
}

ColorModel ColorModel::nothing() {
  ColorModel model;
  model.nothing_ = true;
  return model;
}

ColorModel ColorModel::near(int red, int green, int blue, int tolerance) {
  check(static_cast<float>(red), 0, 255, "red");
  check(static_cast<float>(green), 0, 255, "green");
  check(static_cast<float>(blue), 0, 255, "blue");
  check(static_cast<float>(tolerance), 0, 255, "tolerance");
  ColorModel model;
  model.rgb_[0] = red;
  model.rgb_[1] = green;
  model.rgb_[2] = blue;
  model.tolerance_ = tolerance;
  return model;
}

bool ColorModel::contains(const ColorValues& color) const {
  if (nothing_) return false;
  if (tolerance_ >= 0) {
    for (int c = 0; c < 3; ++c) {
      if (std::abs(color.rgb[c] - rgb_[c]) > tolerance_) return false;
    }
    return true;
  }
  return range_.contains(color.hsv) &&
         (excluded_.empty() || !excluded_[color_cell(color.rgb[0], color.rgb[1], color.rgb[2])]);
}

bool ColorModel::may_contain(const ColorBounds& bounds) const {
  if (nothing_) return false;
  if (tolerance_ < 0) return range_.may_contain(bounds.low.hsv, bounds.high.hsv);
  for (int c = 0; c < 3; ++c) {
    if (bounds.low.rgb[c] - rgb_[c] > tolerance_) return false;
    if (rgb_[c] - bounds.high.rgb[c] > tolerance_) return false;
  }
  return true;
}

std::string ColorModel::describe() const {
  std::ostringstream text;
  if (nothing_) {
    text << "no colour";
  } else if (tolerance_ >= 0) {
    text << "rgb " << rgb_[0] << " " << rgb_[1] << " " << rgb_[2] << " within " << tolerance_;
  } else {
    text << "hue " << range_.hue_min << " to " << range_.hue_max << ", saturation "
         << range_.saturation_min << " to " << range_.saturation_max << ", value "
         << range_.value_min << " to " << range_.value_max;
  }
  return text.str();
}

}  // namespace cltrack
