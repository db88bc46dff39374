// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/integral.h"

#include <algorithm>

namespace cltrack {

void integrate(const ImageView& src, Integrals& dst) {
  dst.width = src.width;
  dst.height = src.height;
  const std::ptrdiff_t stride = dst.stride();
  const auto entries = static_cast<std::size_t>(stride) * static_cast<std::size_t>(src.height + 1);
  dst.sums.resize(entries);
  dst.squares.resize(entries);
  std::fill_n(dst.sums.begin(), stride, 0u);
  std::fill_n(dst.squares.begin(), stride, 0u);
  for (int y = 0; y < src.height; ++y) {
    const std::uint8_t* row = src.row(y);
    std::uint32_t* sums = dst.sums.data() + (y + 1) * stride;
    std::uint64_t* squares = dst.squares.data() + (y + 1) * stride;
    sums[0] = 0;
    squares[0] = 0;
    std::uint32_t sum = 0;
    std::uint64_t square = 0;
    for (int x = 0; x < src.width; ++x) {
      const std::uint32_t v = row[x];
      sum += v;
      square += v * v;
      sums[x + 1] = sums[x + 1 - stride] + sum;
      squares[x + 1] = squares[x + 1 - stride] + square;
    }
  }
}

}  // namespace cltrack
