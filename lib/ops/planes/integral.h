// SPDX-License-Identifier: LGPL-2.1-or-later
// Integral images (summed-area tables) of a plane and of its squares: the sum over any box takes
// four reads. The variance filter needs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cltrack/image_view.h"
#include "compute/array.h"

namespace cltrack {

// (width + 1) x (height + 1) entries; entry (x, y) is the sum over all pixels left of x and above
// y. Sums are modulo 2^32, exact for any box of a frame up to 16 megapixels; squares are 64 bits
// wide because 32 overflow from boxes of 257 x 257 pixels on.
struct IntegralView {
  int width = 0;  // of the picture
  int height = 0;
  const std::uint32_t* sums = nullptr;
  const std::uint64_t* squares = nullptr;

  std::ptrdiff_t stride() const { return width + 1; }
};

// The same with memory of their own.
struct Integrals {
  int width = 0;  // of the picture
  int height = 0;
  std::vector<std::uint32_t> sums;
  std::vector<std::uint64_t> squares;

  std::ptrdiff_t stride() const { return width + 1; }
  operator IntegralView() const { return {width, height, sums.data(), squares.data()}; }
};

// The same on any device.
struct IntegralArrays {
  int width = 0;  // of the picture
  int height = 0;
  Array<std::uint32_t> sums;
  Array<std::uint64_t> squares;

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
void integrate(const ImageView& src, std::uint32_t* sums, std::uint64_t* squares);
void integrate(const ImageView& src, Integrals& dst);
}  // namespace reference

// n^2 times the variance of the n = width * height pixels of the box at (x, y): an exact integer,
// at most 2^62 for boxes of up to 16 megapixels. The box must lie inside the picture.
inline std::uint64_t scaled_variance(const IntegralView& integrals, int x, int y, int width,
                                     int height) {
  const std::ptrdiff_t top = y * integrals.stride() + x;
  const std::ptrdiff_t bottom = top + height * integrals.stride();
  const std::uint32_t* s = integrals.sums;
  const std::uint64_t* q = integrals.squares;
  const std::uint64_t sum = std::uint32_t{s[bottom + width] - s[bottom] - s[top + width] + s[top]};
  const std::uint64_t square = q[bottom + width] - q[bottom] - q[top + width] + q[top];
  return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) * square -
         sum * sum;
}

}  // namespace cltrack
