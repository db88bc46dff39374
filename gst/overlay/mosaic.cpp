// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/mosaic.h"

#include <algorithm>
#include <cmath>

namespace cltrack::gst {

MosaicGrid::MosaicGrid(int width_of_all, int height_of_all)
    : width(width_of_all), height(height_of_all) {
  const int side = std::max((std::max(width, height) + kCells - 1) / kCells, kSmallestCell);
  // Fewer and larger cells rather than a narrow one at the end, which would keep more.
  columns = std::max(width / side, 1);
  rows = std::max(height / side, 1);
}

Mosaic::Mosaic(const MosaicGrid& grid)
    : grid_(grid),
      sums_(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows) *
            kComponents),
      line_(static_cast<std::size_t>(grid.columns) * kComponents) {}

int Mosaic::first_pixel(int cell, int cells, int pixels) {
  return static_cast<int>(std::int64_t{cell} * pixels / cells);
}

int Mosaic::cell_of(int pixel, int cells, int pixels) {
  return static_cast<int>(((std::int64_t{pixel} + 1) * cells - 1) / pixels);
}

std::size_t Mosaic::index(int column, int row) const {
  return (static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.columns) +
          static_cast<std::size_t>(column)) *
         kComponents;
}

double Mosaic::mean(int column, int row, std::size_t component) const {
  const int width = left_of(column + 1) - left_of(column);
  const int height =
      first_pixel(row + 1, grid_.rows, grid_.height) - first_pixel(row, grid_.rows, grid_.height);
  return static_cast<double>(sums_[index(column, row) + component]) /
         (static_cast<double>(width) * static_cast<double>(height));
}

template <typename Sample>
void Mosaic::add(int y, const Sample* pixels) {
  const int row = cell_of(y, grid_.rows, grid_.height);
  for (int column = 0; column < grid_.columns; ++column) {
    std::uint64_t sums[kComponents] = {};
    const Sample* end = pixels + static_cast<std::size_t>(left_of(column + 1)) * kComponents;
    for (const Sample* at = pixels + static_cast<std::size_t>(left_of(column)) * kComponents;
         at != end; at += kComponents) {
      for (std::size_t c = 0; c < kComponents; ++c) sums[c] += at[c];
    }
    for (std::size_t c = 0; c < kComponents; ++c) sums_[index(column, row) + c] += sums[c];
  }
}

template <typename Sample>
void Mosaic::write_squares(int y, Sample* pixels) const {
  const int row = cell_of(y, grid_.rows, grid_.height);
  for (int column = 0; column < grid_.columns; ++column) {
    Sample color[kComponents];
    for (std::size_t c = 0; c < kComponents; ++c) {
      color[c] = static_cast<Sample>(std::lround(mean(column, row, c)));
    }
    for (int x = left_of(column); x < left_of(column + 1); ++x, pixels += kComponents) {
      std::copy_n(color, kComponents, pixels);
    }
  }
}

// A quadratic B-spline: straight lines between the centres of cells would be seen as such.
Mosaic::Blend Mosaic::blend_at(int pixel, int cells, int pixels) {
  // Where the pixel's centre lies, from 0 in the centre of the first cell.
  const float place =
      (static_cast<float>(pixel) + 0.5f) * static_cast<float>(cells) / static_cast<float>(pixels) -
      0.5f;
  const float nearest = std::round(place);
  const float off = place - nearest;
  Blend blend{.cells = {},
              .shares = {(0.5f - off) * (0.5f - off) / 2, 0.75f - off * off,
                         (0.5f + off) * (0.5f + off) / 2}};
  for (int i = 0; i < 3; ++i) {
    const int cell = std::clamp(static_cast<int>(nearest) + i - 1, 0, cells - 1);
    blend.cells[static_cast<std::size_t>(i)] = static_cast<std::size_t>(cell);
  }
  return blend;
}

template <typename Sample>
void Mosaic::write_smooth(int y, Sample* pixels) {
  if (across_.empty()) {
    for (int x = 0; x < grid_.width; ++x) {
      across_.push_back(blend_at(x, grid_.columns, grid_.width));
    }
  }
  const Blend down = blend_at(y, grid_.rows, grid_.height);
  std::fill(line_.begin(), line_.end(), 0.0f);
  for (std::size_t i = 0; i < down.cells.size(); ++i) {
    for (int column = 0; column < grid_.columns; ++column) {
      for (std::size_t c = 0; c < kComponents; ++c) {
        line_[static_cast<std::size_t>(column) * kComponents + c] +=
            down.shares[i] * static_cast<float>(mean(column, static_cast<int>(down.cells[i]), c));
      }
    }
  }
  for (const auto& [cells, shares] : across_) {
    for (std::size_t c = 0; c < kComponents; ++c) {
      const float value = shares[0] * line_[cells[0] * kComponents + c] +
                          shares[1] * line_[cells[1] * kComponents + c] +
                          shares[2] * line_[cells[2] * kComponents + c];
      pixels[c] = static_cast<Sample>(value + 0.5f);
    }
    pixels += kComponents;
  }
}

template <typename Sample>
void Mosaic::write(int y, MosaicLook look, Sample* pixels) {
  if (look == MosaicLook::squares) {
    write_squares(y, pixels);
  } else {
    write_smooth(y, pixels);
  }
}

template void Mosaic::add(int, const std::uint8_t*);
template void Mosaic::add(int, const std::uint16_t*);
template void Mosaic::write(int, MosaicLook, std::uint8_t*);
template void Mosaic::write(int, MosaicLook, std::uint16_t*);

}  // namespace cltrack::gst
