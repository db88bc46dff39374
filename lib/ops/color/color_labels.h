// SPDX-License-Identifier: LGPL-2.1-or-later
// The label of a pixel, that is the object that its colour stands for: one read of a table,
// whatever the number of objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cltrack/color_picture.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// Objects are counted from 1 to 255; label 0 is none of them.
inline constexpr int kMaxColorObjects = 255;

// The upper bits of each component that count.
inline constexpr int kColorBits = CLTRACK_COLOR_BITS;
inline constexpr std::size_t kColorCells = std::size_t{1} << (3 * kColorBits);

// Cell of a colour in the table. All values of the first component are contiguous: if it is the
// brightness, neighbours in the picture are close in the table.
constexpr std::uint32_t color_cell(std::uint8_t c0, std::uint8_t c1, std::uint8_t c2) {
  constexpr int drop = 8 - kColorBits;
  return static_cast<std::uint32_t>(c1 >> drop << (2 * kColorBits) | c2 >> drop << kColorBits |
                                    c0 >> drop);
}

// The label of each cell, for one encoding of pictures.
using ColorTable = std::vector<std::uint8_t>;  // kColorCells entries

// Writes the labels of `count` pixels from `x` on of row `y`. The row must lie in the picture.
void label_row(const ColorPicture& picture, const std::uint8_t* table, int x, int y, int count,
               std::uint8_t* labels);

}  // namespace cltrack
