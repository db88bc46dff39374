// SPDX-License-Identifier: LGPL-2.1-or-later
// One body: its time is that of three reads per sample from places that no vector can load.
#include <algorithm>
#include <array>
#include <cstddef>

#include "ops/filter/sample_colors.h"
#include "ops/filter/sample_windows.h"

namespace cltrack::reference {
namespace {

constexpr int kDrop = 8 - CLTRACK_COLOR_BIN_BITS;
constexpr int kMostBin = (1 << CLTRACK_COLOR_BIN_BITS) - 1;

int upper_bits(std::uint8_t value) { return value >> kDrop; }

int chroma_bin(std::uint8_t value) {
  return std::clamp((value - CLTRACK_LEAST_CHROMA) >> CLTRACK_CHROMA_BIN_BITS, 0, kMostBin);
}

int color_bin(int c0, int c1, int c2) {
  return c0 << 2 * CLTRACK_COLOR_BIN_BITS | c1 << CLTRACK_COLOR_BIN_BITS | c2;
}

// The pixel of [0, count) that has the middle of a sample.
int middle_pixel(std::int32_t start, std::int32_t step, int sample, int count) {
  return std::clamp((start + sample * step + step / 2) >> CLTRACK_WINDOW_PIXEL_BITS, 0, count - 1);
}

// Calls bin_of(values) with the components of each sample.
template <std::size_t kComponents, typename BinOf>
void sample(const ColorPicture& picture, const WindowJob& job, int side, const BinOf& bin_of,
            std::span<std::uint16_t> bins) {
  const auto& components = picture.components;
  std::array<std::array<std::ptrdiff_t, kMostSampleSide>, kComponents> columns;
  const auto width = static_cast<std::size_t>(side);
  for (std::size_t i = 0; i < width; ++i) {
    const int x = middle_pixel(job.x, job.step_x, static_cast<int>(i), picture.width);
    for (std::size_t c = 0; c < kComponents; ++c) {
      columns[c][i] = std::ptrdiff_t{x >> components[c].shift_x} * components[c].step;
    }
  }
  for (int j = 0; j < side; ++j) {
    const int y = middle_pixel(job.y, job.step_y, j, picture.height);
    std::array<const std::uint8_t*, kComponents> rows;
    for (std::size_t c = 0; c < kComponents; ++c) {
      rows[c] = components[c].data + (y >> components[c].shift_y) * components[c].stride;
    }
    std::uint16_t* to = bins.data() + static_cast<std::size_t>(j) * width;
    for (std::size_t i = 0; i < width; ++i) {
      std::array<std::uint8_t, kComponents> values;
      for (std::size_t c = 0; c < kComponents; ++c) values[c] = rows[c][columns[c][i]];
      to[i] = static_cast<std::uint16_t>(bin_of(values));
    }
  }
}

}  // namespace

void sample_colors(const ColorPicture& picture, const WindowJob& job, int side,
                   std::span<std::uint16_t> bins) {
  switch (picture.space) {
    case ColorSpace::none:
      return sample<1>(
          picture, job, side, [](const auto& c) { return color_bin(upper_bits(c[0]), 0, 0); },
          bins);
    case ColorSpace::rgb:
      return sample<3>(
          picture, job, side,
          [](const auto& c) {
            return color_bin(upper_bits(c[0]), upper_bits(c[1]), upper_bits(c[2]));
          },
          bins);
    case ColorSpace::yuv:
      return sample<3>(
          picture, job, side,
          [](const auto& c) {
            return color_bin(upper_bits(c[0]), chroma_bin(c[1]), chroma_bin(c[2]));
          },
          bins);
  }
}

}  // namespace cltrack::reference
