// SPDX-License-Identifier: LGPL-2.1-or-later
// Which object the colour of a pixel stands for: one look into a table, whatever the rule and
// however many objects there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cltrack/color_picture.h"
#include "compute/array.h"
#include "ops/color/color_planes.h"

namespace cltrack {

// Objects are counted from 1 to 255; label 0 is none of them.
inline constexpr int kMaxColorObjects = 255;

// Colours are told apart by the upper 6 bits of each component.
inline constexpr int kColorBits = 6;
inline constexpr std::size_t kColorCells = std::size_t{1} << (3 * kColorBits);

// Cell of a colour in the table. All values of the first component lie next to each other: where
// that is the brightness, neighbours in the picture are neighbours in the table.
constexpr std::uint32_t color_cell(std::uint8_t c0, std::uint8_t c1, std::uint8_t c2) {
  constexpr int drop = 8 - kColorBits;
  return static_cast<std::uint32_t>(c1 >> drop << (2 * kColorBits) | c2 >> drop << kColorBits |
                                    c0 >> drop);
}

// The label of each cell, for one way in which pictures are encoded.
using ColorTable = std::vector<std::uint8_t>;  // kColorCells entries

// Writes the labels of `count` pixels from `x` on of row `y`. The row must lie in the picture.
void label_row(const ColorPicture& picture, const std::uint8_t* table, int x, int y, int count,
               std::uint8_t* labels);

// The labels of a whole picture wherever the queue works, row by row without padding. `table` has
// kColorCells entries. Does not wait. Throws Error.
void color_labels(Queue& queue, ColorPlanes& planes, Array<std::uint8_t>& table,
                  Array<std::uint8_t>& labels);

}  // namespace cltrack
