// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_model.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "cltrack/color_model.h"
#include "cltrack/error.h"
#include "ops/color/color_sums.h"

namespace cltrack {

Rgb color_of_cell(std::uint32_t cell, ColorSpace space, const YuvEncoding& encoding) {
  constexpr std::uint32_t mask = (1u << kColorBits) - 1;
  const auto middle = [cell](std::size_t component) {
    constexpr int shifts[] = {0, 2 * kColorBits, kColorBits};  // see color_cell()
    const std::uint32_t value = cell >> shifts[component] & mask;
    // Scaled so that the first and last cells are black and white.
    return static_cast<double>(value) * 255 / mask;
  };
  if (space == ColorSpace::rgb) {
    return {static_cast<float>(middle(0) / 255), static_cast<float>(middle(1) / 255),
            static_cast<float>(middle(2) / 255)};
  }
  const double y = encoding.full_range ? middle(0) / 255 : (middle(0) - 16) / 219;
  const double cb = (middle(1) - 128) / (encoding.full_range ? 255 : 224);
  const double cr = (middle(2) - 128) / (encoding.full_range ? 255 : 224);
  const double red = y + 2 * (1 - encoding.red) * cr;
  const double blue = y + 2 * (1 - encoding.blue) * cb;
  const double green =
      (y - encoding.red * red - encoding.blue * blue) / (1 - encoding.red - encoding.blue);
  const auto clip = [](double v) { return static_cast<float>(std::clamp(v, 0.0, 1.0)); };
  return {clip(red), clip(green), clip(blue)};
}

ColorTable make_color_table(std::span<const ColorModel> models, ColorSpace space,
                            const YuvEncoding& encoding) {
  // Neighbouring cells have similar colours, and most models contain none of a group.
  constexpr std::uint32_t kGroup = 1u << kColorBits;
  ColorTable table(kColorCells);
  std::vector<ColorValues> colors;
  for (std::uint32_t first = 0; first < kColorCells; first += kGroup) {
    colors.clear();
    for (std::uint32_t cell = first; cell < first + kGroup; ++cell) {
      colors.emplace_back(color_of_cell(cell, space, encoding));
    }
    ColorBounds bounds(colors.front());
    for (const ColorValues& color : colors) bounds.add(color);
    std::size_t unlabelled = kGroup;
    for (std::size_t m = 0; m < models.size() && unlabelled > 0; ++m) {
      if (!models[m].may_contain(bounds)) continue;
      for (std::size_t i = 0; i < kGroup; ++i) {
        std::uint8_t& label = table[first + i];
        if (label != 0 || !models[m].contains(colors[i])) continue;
        label = static_cast<std::uint8_t>(m + 1);
        --unlabelled;
      }
    }
  }
  return table;
}

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
