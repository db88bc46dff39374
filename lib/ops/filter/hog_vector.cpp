// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cstring>
#include <vector>

#include "core/processor.h"
#include "ops/filter/hog.h"
#include "ops/filter/hog_cell.h"
#include "ops/filter/hog_gradient.h"

namespace cltrack::vector {
namespace {

constexpr int kSigned = kHogDirections;
constexpr int kUnsigned = kHogDirections / 2;

using Ints = std::vector<std::int32_t>;
using Floats = std::vector<float>;

// A row of samples with the outermost ones repeated, from row[1] on.
[[gnu::always_inline]] inline void widen_row(const std::uint16_t* samples, int side,
                                             std::int32_t* row) {
  for (int x = 0; x < side; ++x) row[x + 1] = samples[x];
  row[0] = row[1];
  row[side + 1] = row[side];
}

// What the samples of a row add to the directions of each cell, one cell to the left and right of
// the window included: sums[(cell + 1) * kSigned + direction], in eighths.
[[gnu::always_inline]] inline void add_row(const std::int32_t* directions,
                                           const std::int32_t* lengths, int side,
                                           std::int32_t* sums) {
  for (int x = 0; x < side; ++x) {
    std::int32_t* left = sums + (x + kCellSide / 2) / kCellSide * kSigned + directions[x];
    const int right_eighths = 2 * ((x + kCellSide / 2) % kCellSide) + 1;
    left[0] += (2 * kCellSide - right_eighths) * lengths[x];
    left[kSigned] += right_eighths * lengths[x];
  }
}

// Histograms, cell by cell: entry (y * cells + x) * kSigned + direction; sums of the samples of
// each cell, row by row.
[[gnu::always_inline]] inline void count(const std::uint16_t* samples, int cells,
                                         std::int32_t* histograms, std::int32_t* greys) {
  const int side = cells * kCellSide;
  const auto width = static_cast<std::size_t>(side) + 2;
  Ints rows(3 * width), directions(width), lengths(width);
  const int row_entries = (cells + 2) * kSigned;
  Ints sums(static_cast<std::size_t>(row_entries));
  std::int32_t* above = rows.data();
  std::int32_t* own = above + width;
  std::int32_t* below = own + width;
  widen_row(samples, side, above);
  std::memcpy(own, above, width * sizeof(*own));
  for (int y = 0; y < side; ++y) {
    widen_row(samples + std::min(y + 1, side - 1) * side, side, below);
    for (int x = 0; x < side; ++x) {
      const HogGradient gradient = hog_gradient(own[x + 2] - own[x], below[x + 1] - above[x + 1]);
      directions[static_cast<std::size_t>(x)] = gradient.direction;
      lengths[static_cast<std::size_t>(x)] = gradient.length;
    }
    std::fill(sums.begin(), sums.end(), 0);
    add_row(directions.data(), lengths.data(), side, sums.data());
    const int upper = (y + kCellSide / 2) / kCellSide - 1;
    const std::int32_t lower_eighths = 2 * ((y + kCellSide / 2) % kCellSide) + 1;
    const std::int32_t upper_eighths = 2 * kCellSide - lower_eighths;
    const std::int32_t* inside = sums.data() + kSigned;
    if (upper >= 0) {
      std::int32_t* to = histograms + upper * cells * kSigned;
      for (int i = 0; i < cells * kSigned; ++i) to[i] += upper_eighths * inside[i];
    }
    if (upper + 1 < cells) {
      std::int32_t* to = histograms + (upper + 1) * cells * kSigned;
      for (int i = 0; i < cells * kSigned; ++i) to[i] += lower_eighths * inside[i];
    }
    std::int32_t* grey = greys + y / kCellSide * cells;
    for (int x = 0; x < side; ++x) grey[x / kCellSide] += own[x + 1];
    std::swap(above, own);
    std::swap(own, below);
  }
}

// 1 / norm of the four blocks of each cell: norms[block * cells * cells + x * cells + y].
[[gnu::always_inline]] inline void take_norms(const float* energies, int cells, float* norms) {
  const int all = cells * cells;
  for (int block = 0; block < 4; ++block) {
    for (int x = 0; x < cells; ++x) {
      const int next_x = std::clamp(x + (block % 2 == 0 ? -1 : 1), 0, cells - 1);
      const float* own = energies + x * cells;
      const float* beside = energies + next_x * cells;
      float* to = norms + block * all + x * cells;
      const auto norm = [&](int y, int next_y) {
        to[y] = hog_norm(own[y], beside[y], own[next_y], beside[next_y]);
      };
      if (block / 2 == 0) {
        norm(0, 0);
        for (int y = 1; y < cells; ++y) norm(y, y - 1);
      } else {
        for (int y = 0; y + 1 < cells; ++y) norm(y, y + 1);
        norm(cells - 1, cells - 1);
      }
    }
  }
}

[[gnu::always_inline]] inline void make_features(const std::uint16_t* samples, int cells,
                                                 float* features) {
  const auto all = static_cast<std::size_t>(cells * cells);
  Ints histograms(all * kSigned), greys(all), columns(all * kSigned);
  count(samples, cells, histograms.data(), greys.data());
  for (int x = 0; x < cells; ++x) {
    for (int y = 0; y < cells; ++y) {
      const auto from = static_cast<std::size_t>(y * cells + x);
      const auto to = static_cast<std::size_t>(x * cells + y);
      for (std::size_t d = 0; d < kSigned; ++d)
        columns[d * all + to] = histograms[from * kSigned + d];
      features[31 * all + to] = hog_grey(static_cast<std::uint32_t>(greys[from]));
    }
  }
  Floats energies(all), norms(4 * all), totals(4 * all);
  for (std::size_t d = 0; d < kUnsigned; ++d) {
    const std::int32_t* one = columns.data() + d * all;
    const std::int32_t* other = one + kUnsigned * all;
    for (std::size_t i = 0; i < all; ++i) {
      const float both = hog_value(static_cast<std::uint32_t>(one[i] + other[i]));
      energies[i] += both * both;
    }
  }
  take_norms(energies.data(), cells, norms.data());
  const float* n = norms.data();
  float* t = totals.data();
  for (std::size_t d = 0; d < kSigned; ++d) {
    const std::int32_t* one = columns.data() + d * all;
    float* to = features + d * all;
    for (std::size_t i = 0; i < all; ++i) {
      const float value = hog_value(static_cast<std::uint32_t>(one[i]));
      const float a = hog_cut(value * n[i]), b = hog_cut(value * n[all + i]);
      const float c = hog_cut(value * n[2 * all + i]), e = hog_cut(value * n[3 * all + i]);
      t[i] += a;
      t[all + i] += b;
      t[2 * all + i] += c;
      t[3 * all + i] += e;
      to[i] = 0.5f * (0 + a + b + c + e);
    }
  }
  for (std::size_t d = 0; d < kUnsigned; ++d) {
    const std::int32_t* one = columns.data() + d * all;
    const std::int32_t* other = one + kUnsigned * all;
    float* to = features + (kSigned + d) * all;
    for (std::size_t i = 0; i < all; ++i) {
      const float value = hog_value(static_cast<std::uint32_t>(one[i] + other[i]));
      to[i] = 0.5f * (0 + hog_cut(value * n[i]) + hog_cut(value * n[all + i]) +
                      hog_cut(value * n[2 * all + i]) + hog_cut(value * n[3 * all + i]));
    }
  }
  for (std::size_t i = 0; i < 4 * all; ++i) features[27 * all + i] = CLTRACK_HOG_TEXTURE * t[i];
}

}  // namespace

void hog(std::span<const std::uint16_t> samples, int cells, std::span<float> features) {
  kFastest<make_features>(samples.data(), cells, features.data());
}

}  // namespace cltrack::vector
