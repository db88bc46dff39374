// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/planes/integral.h"

#include <algorithm>

#include "compute/launch.h"

namespace cltrack {

void reference::integrate(const ImageView& src, std::uint32_t* all_sums,
                          std::uint32_t* all_squares) {
  const std::ptrdiff_t stride = src.width + 1;
  std::fill_n(all_sums, stride, 0u);
  std::fill_n(all_squares, stride, 0u);
  for (int y = 0; y < src.height; ++y) {
    const std::uint8_t* row = src.row(y);
    std::uint32_t* sums = all_sums + (y + 1) * stride;
    std::uint32_t* squares = all_squares + (y + 1) * stride;
    sums[0] = 0;
    squares[0] = 0;
    std::uint32_t sum = 0;
    std::uint32_t square = 0;
    for (int x = 0; x < src.width; ++x) {
      const std::uint32_t v = row[x];
      sum += v;
      square += v * v;
      sums[x + 1] = sums[x + 1 - stride] + sum;
      squares[x + 1] = squares[x + 1 - stride] + square;
    }
  }
}

void reference::integrate(const ImageView& src, Integrals& dst) {
  dst.width = src.width;
  dst.height = src.height;
  const auto entries =
      static_cast<std::size_t>(dst.stride()) * static_cast<std::size_t>(src.height + 1);
  dst.sums.resize(entries);
  dst.squares.resize(entries);
  reference::integrate(src, dst.sums.data(), dst.squares.data());
}

namespace {

constexpr int kItems = CLTRACK_INTEGRAL_ITEMS;
constexpr int kColumns = CLTRACK_INTEGRAL_COLUMNS;

}  // namespace

void IntegralArrays::resize(int picture_width, int picture_height) {
  width = picture_width;
  height = picture_height;
  const auto entries = static_cast<std::size_t>(stride()) * static_cast<std::size_t>(height + 1);
  sums.resize(entries);
  squares.resize(entries);
}

void integrate(Queue& queue, const Plane& src, IntegralArrays& dst) {
  dst.resize(src.width(), src.height());
  if (queue.is_host()) {
    reference::integrate(src.host_view(), dst.sums.host_write().data(),
                         dst.squares.host_write().data());
    return;
  }
  launch(queue, {"integral", "integral_rows"}, global((dst.height + 1) * kItems), local(kItems),
         in(src.pixels), src.layout, out(dst.sums), out(dst.squares));
  const int groups = (dst.width + 1 + kColumns - 1) / kColumns;
  launch(queue, {"integral", "integral_columns"}, global(groups * kItems), local(kItems), dst.width,
         dst.height, inout(dst.sums), inout(dst.squares));
}

}  // namespace cltrack
