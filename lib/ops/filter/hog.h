// SPDX-License-Identifier: LGPL-2.1-or-later
// HOG features of windows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"
#include "ops/vector_lanes.h"

namespace cltrack {

// The gradient of a sample as hog() counts it. kernels/filter/hog.cl has the same.

inline constexpr std::int32_t kHalfwayCos[CLTRACK_HALFWAY_ANGLES] = CLTRACK_HALFWAY_COS;
inline constexpr std::int32_t kHalfwaySin[CLTRACK_HALFWAY_ANGLES] = CLTRACK_HALFWAY_SIN;

struct HogGradient {
  std::int32_t direction;  // 0..17, 20 degrees apart
  std::int32_t length;     // rounded
};

[[gnu::always_inline]] inline std::int32_t hog_length(std::int32_t dx, std::int32_t dy) {
  return static_cast<std::int32_t>(std::sqrt(static_cast<float>(dx * dx + dy * dy)) + 0.5f);
}

// A gradient of length 0 has some direction. dx, dy: differences of the samples to the right and
// left, below and above; under 2^15.
[[gnu::always_inline]] inline HogGradient hog_gradient(std::int32_t dx, std::int32_t dy) {
  const bool is_lower = dy < 0 || (dy == 0 && dx < 0);
  const std::int32_t x = is_lower ? -dx : dx;
  const std::int32_t y = is_lower ? -dy : dy;
  std::int32_t direction = is_lower ? CLTRACK_HOG_DIRECTIONS / 2 : 0;
  for (int k = 0; k < CLTRACK_HALFWAY_ANGLES; ++k) {
    direction += y * kHalfwayCos[k] - x * kHalfwaySin[k] >= 0 ? 1 : 0;
  }
  return {direction >= CLTRACK_HOG_DIRECTIONS ? direction - CLTRACK_HOG_DIRECTIONS : direction,
          hog_length(dx, dy)};
}

// Arithmetic of a cell of hog(), for numbers and vectors of them. kernels/filter/hog.cl has the
// same.

// Grey levels in an entry of a histogram: samples are 64 times, weights 8 x 8 times.
inline constexpr float kHogUnit = 1.0f / (CLTRACK_GREY_SAMPLES * 64);

[[gnu::always_inline]] inline float hog_value(std::uint32_t entry) {
  return static_cast<float>(static_cast<std::int32_t>(entry)) * kHogUnit;
}

// One over the norm of a block of four cells.
[[gnu::always_inline]] inline float hog_norm(float own, float beside, float above, float across) {
  return 1 / std::sqrt(own + beside + above + across + CLTRACK_HOG_FLOOR);
}

[[gnu::always_inline]] inline float hog_cut(float value) {
  return value < CLTRACK_HOG_CUT ? value : CLTRACK_HOG_CUT;
}

// Of the sum of a cell's samples.
[[gnu::always_inline]] inline float hog_grey(std::uint32_t sum) {
  return static_cast<float>(static_cast<std::int32_t>(sum)) *
             (1.0f / (CLTRACK_CELL_SIDE * CLTRACK_CELL_SIDE * CLTRACK_GREY_SAMPLES * 255)) -
         0.5f;
}

// Histograms of oriented gradients of square windows: the features of a correlation filter.
// Felzenszwalb, Girshick, McAllester, Ramanan, "Object Detection with Discriminatively Trained
// Part-Based Models", TPAMI 32(9), 2010, section 6.
//
// A cell is 4 x 4 samples. Each sample adds the length of its gradient to one of 18 directions of
// the four cells around it, by bilinear weights. A cell's histogram is divided by the norms of the
// four blocks of 2 x 2 cells that it is part of; what exceeds 0.2 is cut off. Its channels:
//   0..17   directions: half the sum over the four blocks
//   18..26  the same without regard to sign
//   27..30  0.2357 times the sum of the 18 directions, for each block
//   31      mean grey level / 255 - 0.5
// Beyond a window's border, samples and cells repeat the outermost ones.
//
// Histograms are sums of integers, and all else adds up in a fixed order: devices that divide and
// take roots exactly give the same features.

inline constexpr int kCellSide = CLTRACK_CELL_SIDE;  // samples
inline constexpr int kHogChannels = CLTRACK_HOG_CHANNELS;
inline constexpr int kHogDirections = CLTRACK_HOG_DIRECTIONS;

// A window of cells x cells. Samples as sample_windows() makes them, row by row; features channel
// by channel, each column by column (of cells).
namespace reference {
void hog(std::span<const std::uint16_t> samples, int cells, std::span<float> features);
}

namespace vector {
void hog(std::span<const std::uint16_t> samples, int cells, std::span<float> features);
}

// What a device keeps between its two kernels.
struct HogScratch {
  Array<std::uint32_t> histograms, greys;
  Array<float> energies;
};

// Of all windows in `samples`, one behind the other. Resizes `features`. Does not wait. Throws
// Error; Error{invalid_argument} if `cells` is below 1 or `samples` does not hold whole windows.
void hog(Queue& queue, const Array<std::uint16_t>& samples, int cells, HogScratch& scratch,
         Array<float>& features);

}  // namespace cltrack

namespace cltrack::vector {

// Counts the histograms of vector::hog(). Everything is inlined into functions that are compiled
// for a processor.
//
// A corner is where four cells meet, or would meet at the window's border; the 4 x 4 samples around
// it are those that count for the same four cells. So a corner has the parts of four histograms
// side by side, in one vector for each direction, and a sample is one addition.

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
