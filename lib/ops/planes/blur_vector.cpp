// SPDX-License-Identifier: LGPL-2.1-or-later
// The blur on vectors of 16-bit words, which hold every intermediate sum: rows as they are, columns
// with the high and the low bytes of the rows' results apart.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/processor.h"
#include "ops/planes/blur.h"
#include "ops/vector_lanes.h"

namespace cltrack {
namespace {

// dst[x] = one row blurred horizontally, 8.8 fixed point. `center` has kBlurRadius pixels more on
// both sides; `width` is at least a vector's.
template <typename Lanes>
[[gnu::always_inline]] inline void blur_row(const std::uint8_t* center, int width,
                                            std::uint16_t* dst) {
  using Words = typename Lanes::Words;
  using Bytes = typename Lanes::Bytes;
  constexpr int lanes = sizeof(Bytes);
  for (int next = 0; next < width; next += lanes) {
    const int x = std::min(next, width - lanes);  // the last vector may overlap the one before
    Words sum = {};
    for (int k = -kBlurRadius; k <= kBlurRadius; ++k) {
      Bytes pixels;
      std::memcpy(&pixels, center + x + k, sizeof(pixels));
      sum += kBlurWeights[k < 0 ? -k : k] * __builtin_convertvector(pixels, Words);
    }
    std::memcpy(dst + x, &sum, sizeof(sum));
  }
}

// out = the columns of 2 * kBlurRadius + 1 such rows blurred, rounded half up. With every row's
// value cut into 256 h + l, the sum is 256 sum(w h) + sum(w l), and each of the two fits a word.
template <typename Lanes>
[[gnu::always_inline]] inline void blur_columns(const std::uint16_t* const* rows, int width,
                                                std::uint8_t* out) {
  using Words = typename Lanes::Words;
  using Bytes = typename Lanes::Bytes;
  constexpr int lanes = sizeof(Bytes);
  for (int next = 0; next < width; next += lanes) {
    const int x = std::min(next, width - lanes);
    Words high = {}, low = {};
    for (int k = -kBlurRadius; k <= kBlurRadius; ++k) {
      Words value;
      std::memcpy(&value, rows[k + kBlurRadius] + x, sizeof(value));
      const std::uint16_t weight = kBlurWeights[k < 0 ? -k : k];
      high += weight * (value >> 8);
      low += weight * (value & 255);
    }
    const Words rounded = (high + (low >> 8) + 128) >> 8;
    const Bytes bytes = __builtin_convertvector(rounded, Bytes);
    std::memcpy(out + x, &bytes, sizeof(bytes));
  }
}

template <typename Lanes>
[[gnu::always_inline]] inline void blur_all(const ImageView& src, std::uint8_t* dst,
                                            BlurScratch& scratch) {
  const int width = src.width;
  const int height = src.height;
  const auto row = [&](int y) {
    return scratch.rows.data() + static_cast<std::ptrdiff_t>(std::clamp(y, 0, height - 1)) * width;
  };
  for (int y = 0; y < height; ++y) {
    std::uint8_t* padded = scratch.padded.data();
    std::fill_n(padded, kBlurRadius, src.row(y)[0]);
    std::copy_n(src.row(y), width, padded + kBlurRadius);
    std::fill_n(padded + kBlurRadius + width, kBlurRadius, src.row(y)[width - 1]);
    blur_row<Lanes>(padded + kBlurRadius, width, row(y));
  }
  for (int y = 0; y < height; ++y) {
    const std::uint16_t* rows[2 * kBlurRadius + 1];
    for (int k = -kBlurRadius; k <= kBlurRadius; ++k) rows[k + kBlurRadius] = row(y + k);
    blur_columns<Lanes>(rows, width, dst + static_cast<std::ptrdiff_t>(y) * width);
  }
}

void blur_narrow(const ImageView& src, std::uint8_t* dst, BlurScratch& scratch) {
  blur_all<Narrow>(src, dst, scratch);
}
#ifdef CLTRACK_AVX2
CLTRACK_AVX2 void blur_wide(const ImageView& src, std::uint8_t* dst, BlurScratch& scratch) {
  blur_all<Wide>(src, dst, scratch);
}
#endif

auto choose_body() {
#ifdef CLTRACK_AVX2
  if (has_avx2()) return blur_wide;
#endif
  return blur_narrow;
}

}  // namespace

void blur_vector(const ImageView& src, std::uint8_t* dst, BlurScratch& scratch) {
  if (src.width < static_cast<int>(sizeof(Bytes16))) {
    blur_host(src, dst, scratch);
    return;
  }
  static const auto body = choose_body();
  const auto width = static_cast<std::size_t>(src.width);
  scratch.rows.resize(width * static_cast<std::size_t>(src.height));
  scratch.padded.resize(width + 2 * kBlurRadius);
  body(src, dst, scratch);
}

void blur_vector(const ImageView& src, Image& dst, BlurScratch& scratch) {
  dst.resize(src.width, src.height);
  blur_vector(src, dst.row(0), scratch);
}

}  // namespace cltrack
