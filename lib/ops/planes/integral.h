// SPDX-License-Identifier: LGPL-2.1-or-later
// Integral images (summed-area tables) of a plane and of its squares: the sum over any box takes
// four reads. The variance filter needs them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cltrack/image_view.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// (width + 1) x (height + 1) entries; entry (x, y) is the sum over all pixels left of x and above
// y, modulo 2^32. So sums are exact for any box of a frame up to 16 megapixels, those of squares
// for boxes of kExactSquares pixels; larger ones are added up from such boxes.
struct IntegralView {
  int width = 0;  // of the picture
  int height = 0;
  const std::uint32_t* sums = nullptr;
  const std::uint32_t* squares = nullptr;

  std::ptrdiff_t stride() const { return width + 1; }
};

// The same with memory of their own.
struct Integrals {
  int width = 0;  // of the picture
  int height = 0;
  std::vector<std::uint32_t> sums;
  std::vector<std::uint32_t> squares;

  std::ptrdiff_t stride() const { return width + 1; }
  operator IntegralView() const { return {width, height, sums.data(), squares.data()}; }
};

// The same on any device.
struct IntegralArrays {
  int width = 0;  // of the picture
  int height = 0;
  Array<std::uint32_t> sums;
  Array<std::uint32_t> squares;

  explicit IntegralArrays(Memory::Use use = Memory::Use::kept) : sums(use), squares(use) {}

  std::ptrdiff_t stride() const { return width + 1; }
  void resize(int picture_width, int picture_height);
  // For host bodies; waits if a device has the newest contents.
  IntegralView host_view() const {
    return {width, height, sums.host_read().data(), squares.host_read().data()};
  }
};

// Resizes dst. Equal to the host's in every bit on every device. The picture is at most 65535
// pixels wide. Does not wait. Throws Error.
void integrate(Queue& queue, const Plane& src, IntegralArrays& dst);

namespace reference {
// Both results have (src.width + 1) * (src.height + 1) entries.
void integrate(const ImageView& src, std::uint32_t* sums, std::uint32_t* squares);
void integrate(const ImageView& src, Integrals& dst);
}  // namespace reference

// Sums over a box, which must lie inside the picture.

inline constexpr int kExactSquares = CLTRACK_EXACT_SQUARES;

inline std::uint32_t box_sum(const IntegralView& integrals, const std::uint32_t* sums, int x, int y,
                             int width, int height) {
  const std::uint32_t* const top = sums + y * integrals.stride() + x;
  const std::uint32_t* const bottom = top + height * integrals.stride();
  return bottom[width] - bottom[0] - top[width] + top[0];
}

inline std::uint64_t box_squares(const IntegralView& integrals, int x, int y, int width,
                                 int height) {
  if (width * height <= kExactSquares) {
    return box_sum(integrals, integrals.squares, x, y, width, height);
  }
  const int rows = std::max(kExactSquares / width, 1);
  std::uint64_t sum = 0;
  for (int row = 0; row < height; row += rows) {
    sum += box_sum(integrals, integrals.squares, x, y + row, width, std::min(rows, height - row));
  }
  return sum;
}

// n^2 times the variance of the n = width * height pixels of the box at (x, y): an exact integer,
// at most 2^62 for boxes of up to 16 megapixels.
inline std::uint64_t scaled_variance(const IntegralView& integrals, int x, int y, int width,
                                     int height) {
  const std::uint64_t sum = box_sum(integrals, integrals.sums, x, y, width, height);
  return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) *
             box_squares(integrals, x, y, width, height) -
         sum * sum;
}

}  // namespace cltrack
