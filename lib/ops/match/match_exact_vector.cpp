// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cstring>

#include "core/processor.h"
#include "ops/match/match_exact.h"
#include "ops/vector_lanes.h"

namespace cltrack {
namespace {

template <typename Lanes>
[[gnu::always_inline]] inline void add_products(const std::uint8_t* f, const std::uint8_t* t,
                                                const typename Lanes::Bytes& mask,
                                                typename Lanes::Ints& even,
                                                typename Lanes::Ints& odd) {
  using Words = typename Lanes::Words;
  typename Lanes::Bytes a, b;
  std::memcpy(&a, f, sizeof(a));
  std::memcpy(&b, t, sizeof(b));
  const Words words = __builtin_convertvector(a, Words) * __builtin_convertvector(b & mask, Words);
  typename Lanes::Ints pairs;
  std::memcpy(&pairs, &words, sizeof(pairs));
  even += pairs & 0xffff;
  odd += pairs >> 16;
}

// Products of bytes fit words; those at even and odd places are added up separately, 65536 times at
// most. The width is at least a vector's; the last vector of a row overlaps the one before.
template <typename Lanes>
[[gnu::always_inline]] inline std::uint64_t product_of(const std::uint8_t* f,
                                                       std::ptrdiff_t f_stride,
                                                       const std::uint8_t* t,
                                                       std::ptrdiff_t t_stride, int width,
                                                       int height) {
  using Bytes = typename Lanes::Bytes;
  using Ints = typename Lanes::Ints;
  constexpr int kLanes = sizeof(Bytes);
  constexpr int kMost = 1 << 15;
  Bytes all, last;
  for (int i = 0; i < kLanes; ++i) {
    all[i] = 255;
    last[i] = i >= kLanes - width % kLanes ? 255 : 0;
  }
  std::uint64_t total = 0;
  int vectors = 0;
  Ints even = {}, odd = {};
  for (int y = 0; y < height; ++y, f += f_stride, t += t_stride) {
    for (int x = 0; x + kLanes <= width; x += kLanes) {
      add_products<Lanes>(f + x, t + x, all, even, odd);
    }
    if (width % kLanes != 0) {
      add_products<Lanes>(f + width - kLanes, t + width - kLanes, last, even, odd);
    }
    vectors += width / kLanes + 1;  // at most 8193 in a row
    if (vectors > kMost || y + 1 == height) {
      for (unsigned i = 0; i < sizeof(Ints) / 4; ++i) total += std::uint64_t{even[i]} + odd[i];
      even = odd = Ints{};
      vectors = 0;
    }
  }
  return total;
}

[[gnu::always_inline]] inline std::uint64_t product(const std::uint8_t* f, std::ptrdiff_t f_stride,
                                                    const std::uint8_t* t, std::ptrdiff_t t_stride,
                                                    int width, int height) {
  if (width >= 16) return product_of<Wide>(f, f_stride, t, t_stride, width, height);
  if (width >= 8) return product_of<Narrow>(f, f_stride, t, t_stride, width, height);
  std::uint64_t total = 0;
  for (int y = 0; y < height; ++y, f += f_stride, t += t_stride) {
    for (int x = 0; x < width; ++x) total += static_cast<std::uint32_t>(f[x] * t[x]);
  }
  return total;
}

[[gnu::always_inline]] inline void slide_rows(const std::uint8_t* in, const std::uint8_t* out,
                                              int width, std::uint32_t* sums,
                                              std::uint32_t* squares) {
  for (int x = 0; x < width; ++x) {
    const std::uint32_t a = in[x], b = out ? out[x] : 0;
    sums[x] += a - b;
    squares[x] += a * a - b * b;
  }
}

// Adds the row `in` to the columns and subtracts the row `out`, if there is one.
[[gnu::always_inline]] inline void slide(const std::uint8_t* in, const std::uint8_t* out, int width,
                                         std::uint32_t* sums, std::uint32_t* squares) {
  if (out) {
    slide_rows(in, out, width, sums, squares);
  } else {
    slide_rows(in, nullptr, width, sums, squares);
  }
}

}  // namespace

std::uint64_t match_product(const ImageView& plane, const ImageView& pattern, int x, int y) {
  return kFastest<product>(plane.row(y) + x, plane.stride, pattern.data, pattern.stride,
                           pattern.width, pattern.height);
}

void PatchRows::begin(const ImageView& plane, int width, int height, int y) {
  plane_ = plane;
  width_ = width;
  height_ = height;
  y_ = y;
  const auto columns = static_cast<std::size_t>(plane.width);
  column_sums_.assign(columns, 0);
  column_squares_.assign(columns, 0);
  sums_.resize(columns - static_cast<std::size_t>(width) + 1);
  squares_.resize(sums_.size());
  for (int row = y; row < y + height; ++row) {
    kFastest<slide>(plane.row(row), nullptr, plane.width, column_sums_.data(),
                    column_squares_.data());
  }
  sum_up();
}

void PatchRows::next() {
  kFastest<slide>(plane_.row(y_ + height_), plane_.row(y_), plane_.width, column_sums_.data(),
                  column_squares_.data());
  ++y_;
  sum_up();
}

void PatchRows::sum_up() {
  std::uint32_t sum = 0;
  std::uint64_t squares = 0;
  for (int x = 0; x < width_; ++x) {
    sum += column_sums_[static_cast<std::size_t>(x)];
    squares += column_squares_[static_cast<std::size_t>(x)];
  }
  const std::uint32_t* s = column_sums_.data();
  const std::uint32_t* q = column_squares_.data();
  const int places = plane_.width - width_ + 1;
  for (int x = 0; x < places; ++x) {
    sums_[static_cast<std::size_t>(x)] = sum;
    squares_[static_cast<std::size_t>(x)] = squares;
    if (x + 1 == places) break;
    sum += s[x + width_] - s[x];
    squares += static_cast<std::uint64_t>(q[x + width_]) - q[x];
  }
}

}  // namespace cltrack
