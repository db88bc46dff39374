// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the histograms of vector::hog(). Everything is inlined into functions that are compiled
// for a processor.
//
// A corner is where four cells meet, or would meet at the window's border; the 4 x 4 samples around
// it are those that count for the same four cells. So a corner has the parts of four histograms
// side by side, in one vector for each direction, and a sample is one addition.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ops/filter/hog.h"
#include "ops/filter/hog_gradient.h"
#include "ops/vector_lanes.h"

namespace cltrack::vector {

// `stride`: a number of cells that is no power of 2, or entries of all directions would be kept in
// the same few places of the processor's cache.
struct HogCounts {
  explicit HogCounts(int cells)
      : stride((cells * cells + 7) / 8 * 8 + 8),
        entries(static_cast<std::size_t>(stride) * (kHogDirections + 1)) {}

  std::int32_t* of_direction(int d) { return entries.data() + d * stride; }
  std::int32_t* greys() { return of_direction(kHogDirections); }  // sums of samples

  int stride;
  std::vector<std::int32_t> entries;  // of a direction: cells column by column
};

// As hog_gradient() has it, with half the products: the angles are in pairs that mirror each other.
[[gnu::always_inline]] inline std::int32_t hog_direction(std::int32_t dx, std::int32_t dy) {
  static_assert(kHalfwayCos[4] == 0 && kHalfwayCos[0] == -kHalfwayCos[8] &&
                kHalfwaySin[0] == kHalfwaySin[8] && kHalfwayCos[3] == -kHalfwayCos[5] &&
                kHalfwaySin[3] == kHalfwaySin[5]);
  const bool is_lower = dy < 0 || (dy == 0 && dx < 0);
  const std::int32_t x = is_lower ? -dx : dx;
  const std::int32_t y = is_lower ? -dy : dy;
  std::int32_t direction = (is_lower ? kHogDirections / 2 : 0) + (x <= 0 ? 1 : 0);
  for (int k = 0; k < CLTRACK_HALFWAY_ANGLES / 2; ++k) {
    const std::int32_t up = y * kHalfwayCos[k], along = x * kHalfwaySin[k];
    direction += (up >= along ? 1 : 0) + (up <= -along ? 1 : 0);
  }
  return direction >= kHogDirections ? direction - kHogDirections : direction;
}

// What the gradients of a row of samples add to its corners; row 0 to 3 of their samples. Sample x
// is entry x + 2; the two at either end are none, and have length 0.
[[gnu::always_inline]] inline void add_row(const std::int32_t* directions,
                                           const std::int32_t* lengths, int cells, int row,
                                           Ints4* corners) {
  const auto lower = static_cast<std::uint32_t>(2 * row + 1);  // weights are eighths
  const std::uint32_t upper = 2 * kCellSide - lower;
  Ints4 weights[kCellSide];
  for (std::uint32_t i = 0; i < kCellSide; ++i) {
    const std::uint32_t right = 2 * i + 1, left = 2 * kCellSide - right;
    weights[i] = Ints4{upper * left, upper * right, lower * left, lower * right};
  }
  for (int corner = 0; corner <= cells; ++corner) {
    for (int i = 0; i < kCellSide; ++i) {
      corners[directions[i]] += weights[i] * static_cast<std::uint32_t>(lengths[i]);
    }
    corners += kHogDirections;
    directions += kCellSide;
    lengths += kCellSide;
  }
}

// Row y of the cells, out of the corners above and below.
[[gnu::always_inline]] inline void gather_cells(const Ints4* above, const Ints4* below, int cells,
                                                int y, HogCounts& counts) {
  for (int x = 0; x < cells; ++x) {
    std::int32_t* to = counts.entries.data() + x * cells + y;
    for (int d = 0; d < kHogDirections; ++d) {
      *to = static_cast<std::int32_t>(above[d][3] + above[kHogDirections + d][2] + below[d][1] +
                                      below[kHogDirections + d][0]);
      to += counts.stride;
    }
    above += kHogDirections;
    below += kHogDirections;
  }
}

// A row of samples with the outermost ones repeated, from row[1] on.
[[gnu::always_inline]] inline void widen_row(const std::uint16_t* samples, int side,
                                             std::int32_t* row) {
  for (int x = 0; x < side; ++x) row[x + 1] = samples[x];
  row[0] = row[1];
  row[side + 1] = row[side];
}

[[gnu::always_inline]] inline void count_samples(const std::uint16_t* samples, int cells,
                                                 HogCounts& counts) {
  const int side = cells * kCellSide;
  const int width = side + kCellSide;
  std::vector<std::int32_t> rows(static_cast<std::size_t>(6 * width));
  std::int32_t* above = rows.data();
  std::int32_t* own = above + width;
  std::int32_t* below = own + width;
  std::int32_t* directions = below + width;
  std::int32_t* lengths = directions + width;
  std::int32_t* greys = lengths + width;
  const int row_entries = (cells + 1) * kHogDirections;
  std::vector<Ints4> corners(static_cast<std::size_t>(2 * row_entries));
  Ints4* upper = corners.data();
  Ints4* lower = upper + row_entries;
  widen_row(samples, side, above);
  std::copy_n(above, width, own);
  for (int y = 0; y < side; ++y) {
    widen_row(samples + std::min(y + 1, side - 1) * side, side, below);
    for (int x = 0; x < side; ++x) {
      const std::int32_t dx = own[x + 2] - own[x], dy = below[x + 1] - above[x + 1];
      directions[x + 2] = hog_direction(dx, dy);
      lengths[x + 2] = hog_length(dx, dy);
    }
    add_row(directions, lengths, cells, (y + kCellSide / 2) % kCellSide, lower);
    for (int x = 0; x < side; ++x) greys[x] += own[x + 1];
    if (y % kCellSide == kCellSide - 1) {
      for (int x = 0; x < cells; ++x) {
        std::int32_t* grey = greys + kCellSide * x;
        counts.greys()[x * cells + y / kCellSide] = grey[0] + grey[1] + grey[2] + grey[3];
      }
      std::fill_n(greys, side, 0);
    }
    if (y == side - 1 || y % kCellSide == kCellSide / 2 - 1) {
      if (y >= kCellSide / 2) {
        gather_cells(upper, lower, cells, (y - kCellSide / 2) / kCellSide, counts);
      }
      std::swap(upper, lower);
      std::fill_n(lower, row_entries, Ints4{});
    }
    std::swap(above, own);
    std::swap(own, below);
  }
}

}  // namespace cltrack::vector
