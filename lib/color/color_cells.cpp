// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_cells.h"

#include <algorithm>

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

}  // namespace cltrack
