// SPDX-License-Identifier: LGPL-2.1-or-later
// Neighbouring pixels of a row that have the same label: what sums and blobs are made of. A picture
// has far fewer runs than pixels.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ops/color/color_labels.h"

namespace cltrack {

struct ColorRun {
  int y = 0;
  int left = 0;  // pixels [left, right)
  int right = 0;
  int label = 0;  // never 0

  friend bool operator==(const ColorRun&, const ColorRun&) = default;
};

// End of the run that begins at `from`: eight labels are compared at a time.
inline int run_end(const std::uint8_t* labels, int from, int width) {
  const std::uint8_t label = labels[from];
  const std::uint64_t pattern = 0x0101010101010101ull * label;
  int x = from + 1;
  for (; x + 8 <= width; x += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, labels + x, 8);
    if (const std::uint64_t different = eight ^ pattern; different != 0) {
      if constexpr (std::endian::native == std::endian::little) {
        return x + std::countr_zero(different) / 8;
      } else {
        return x + std::countl_zero(different) / 8;
      }
    }
  }
  while (x < width && labels[x] == label) ++x;
  return x;
}

// Calls see(run) for each run of a row of labels, from left to right.
template <typename See>
void for_each_run(const std::uint8_t* labels, int width, int y, See&& see) {
  for (int x = 0; x < width;) {
    const int end = run_end(labels, x, width);
    if (labels[x] != 0) see(ColorRun{y, x, end, labels[x]});
    x = end;
  }
}

// The same for the rows [first_row, last_row) of a picture. `scratch` is kept by the caller so that
// nothing is allocated per picture.
template <typename See>
void for_each_run(const ColorPicture& picture, const std::uint8_t* table, int first_row,
                  int last_row, std::vector<std::uint8_t>& scratch, See&& see) {
  scratch.resize(static_cast<std::size_t>(picture.width));
  for (int y = first_row; y < last_row; ++y) {
    label_row(picture, table, 0, y, picture.width, scratch.data());
    for_each_run(scratch.data(), picture.width, y, see);
  }
}

}  // namespace cltrack
