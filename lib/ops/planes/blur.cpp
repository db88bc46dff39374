// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/planes/blur.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "compute/launch.h"
#include "core/processor.h"
#include "ops/vector_lanes.h"

namespace cltrack {

namespace {

// One row of src, blurred horizontally into 8.8 fixed point; at most 255 * 256, so 16 bits do.
void blur_row(const std::uint8_t* src, int width, std::uint8_t* padded, std::uint16_t* dst) {
  std::fill_n(padded, kBlurRadius, src[0]);
  std::copy_n(src, width, padded + kBlurRadius);
  std::fill_n(padded + kBlurRadius + width, kBlurRadius, src[width - 1]);
  const std::uint8_t* center = padded + kBlurRadius;
  for (int x = 0; x < width; ++x) {
    int sum = kBlurWeights[0] * center[x];
    for (int k = 1; k <= kBlurRadius; ++k) sum += kBlurWeights[k] * (center[x - k] + center[x + k]);
    dst[x] = static_cast<std::uint16_t>(sum);
  }
}

}  // namespace

void reference::blur(const ImageView& src, int begin, int end, std::uint8_t* dst) {
  const int width = src.width;
  const int first = std::max(0, begin - kBlurRadius);
  const int last = std::min(end + kBlurRadius, src.height) - 1;
  // Rows first ... last blurred horizontally.
  std::vector<std::uint16_t> rows_in_between(static_cast<std::size_t>(width) *
                                             static_cast<std::size_t>(last - first + 1));
  std::vector<std::uint8_t> padded(static_cast<std::size_t>(width) + 2 * kBlurRadius);
  const auto row = [&](int y) {
    return rows_in_between.data() +
           static_cast<std::ptrdiff_t>(std::clamp(y, first, last) - first) * width;
  };
  for (int y = first; y <= last; ++y) blur_row(src.row(y), width, padded.data(), row(y));

  for (int y = begin; y < end; ++y) {
    const std::uint16_t* rows[2 * kBlurRadius + 1];
    for (int k = -kBlurRadius; k <= kBlurRadius; ++k) rows[k + kBlurRadius] = row(y + k);
    std::uint8_t* out = dst + static_cast<std::ptrdiff_t>(y) * width;
    for (int x = 0; x < width; ++x) {
      std::uint32_t sum = std::uint32_t{kBlurWeights[0]} * rows[kBlurRadius][x] + 0x8000;
      for (int k = 1; k <= kBlurRadius; ++k) {
        sum += std::uint32_t{kBlurWeights[k]} *
               (std::uint32_t{rows[kBlurRadius - k][x]} + rows[kBlurRadius + k][x]);
      }
      out[x] = static_cast<std::uint8_t>(sum >> 16);
    }
  }
}

// The blur on vectors of 16-bit words, which hold every intermediate sum: of columns because high
// and low bytes are added up separately.

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
// value written as 256 h + l, the sum is 256 sum(w h) + sum(w l), and each of the two fits a word.
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

// The latest kRows rows that were blurred horizontally, in a ring.
constexpr int kRows = 2 * kBlurRadius + 1;
struct Scratch {
  std::unique_ptr<std::uint16_t[]> rows;
  std::unique_ptr<std::uint8_t[]> padded;
};

template <typename Lanes>
[[gnu::always_inline]] inline void blur_rows(const ImageView& src, int begin, int end,
                                             std::uint8_t* dst, const Scratch& scratch) {
  const int width = src.width;
  const int last = src.height - 1;
  std::uint8_t* const padded = scratch.padded.get();
  const auto place_of = [&](int y) {
    return scratch.rows.get() + static_cast<std::ptrdiff_t>(y % kRows) * width;
  };
  int next = std::max(0, begin - kBlurRadius);
  for (int y = begin; y < end; ++y) {
    for (; next <= std::min(y + kBlurRadius, last); ++next) {
      const std::uint8_t* const row = src.row(next);
      std::fill_n(padded, kBlurRadius, row[0]);
      std::copy_n(row, width, padded + kBlurRadius);
      std::fill_n(padded + kBlurRadius + width, kBlurRadius, row[width - 1]);
      blur_row<Lanes>(padded + kBlurRadius, width, place_of(next));
    }
    const std::uint16_t* rows[kRows];
    for (int k = -kBlurRadius; k <= kBlurRadius; ++k) {
      rows[k + kBlurRadius] = place_of(std::clamp(y + k, 0, last));
    }
    blur_columns<Lanes>(rows, width, dst + static_cast<std::ptrdiff_t>(y) * width);
  }
}

void blur_narrow(const ImageView& src, int begin, int end, std::uint8_t* dst,
                 const Scratch& scratch) {
  blur_rows<Narrow>(src, begin, end, dst, scratch);
}
CLTRACK_AVX2 void blur_wide(const ImageView& src, int begin, int end, std::uint8_t* dst,
                            const Scratch& scratch) {
  blur_rows<Wide>(src, begin, end, dst, scratch);
}

}  // namespace

void vector::blur(const ImageView& src, int begin, int end, std::uint8_t* dst) {
  if (src.width < static_cast<int>(sizeof(Bytes16))) {
    reference::blur(src, begin, end, dst);
    return;
  }
  static const auto body = fastest_body(blur_narrow, blur_wide);
  const auto width = static_cast<std::size_t>(src.width);
  body(src, begin, end, dst,
       {std::make_unique_for_overwrite<std::uint16_t[]>(width * kRows),
        std::make_unique_for_overwrite<std::uint8_t[]>(width + 2 * kBlurRadius)});
}

namespace {

constexpr int kTile = CLTRACK_BLUR_TILE;

constexpr int parts(int whole, int part) { return (whole + part - 1) / part; }

// Rows of one part of the host's work; 12 rows more are blurred for each.
constexpr int kFewestRows = 96;

void blur_on_host(Queue& queue, const ImageView& src, std::uint8_t* dst) {
  const int count = std::clamp(src.height / kFewestRows, 1, queue.threads());
  queue.run(count, [&](int i) {
    vector::blur(src, src.height * i / count, src.height * (i + 1) / count, dst);
  });
}

}  // namespace

void blur(Queue& queue, const Plane& src, Plane& dst) {
  dst.resize(src.width(), src.height());
  if (queue.is_host()) {
    blur_on_host(queue, src.host_view(), dst.pixels.host_write().data());
    return;
  }
  launch(queue, {"blur", "blur_tiles"},
         global(parts(dst.width(), kTile) * kTile,
                parts(dst.height(), kTile) * CLTRACK_BLUR_TILE_ROWS),
         local(kTile, CLTRACK_BLUR_TILE_ROWS), in(src.pixels), src.layout, out(dst.pixels),
         dst.layout);
}

}  // namespace cltrack
