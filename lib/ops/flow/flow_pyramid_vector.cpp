// SPDX-License-Identifier: LGPL-2.1-or-later
// The pyramid on vectors of 16-bit words, which hold every intermediate sum. Each level is padded
// before the next one is made of it, so that borders need no care.
#include <algorithm>
#include <cstring>
#include <vector>

#include "core/processor.h"
#include "ops/flow/flow_pyramid.h"
#include "ops/planes/mirrored.h"
#include "ops/vector_lanes.h"

namespace cltrack {
namespace {

constexpr int kMostLanes = sizeof(Bytes16);
static_assert(kMostLanes <= kSmallestFlowPadding);

// sums[x] = five rows smoothed downwards at column x, `count` of them and up to a vector more.
template <typename Lanes>
[[gnu::always_inline]] inline void smooth_columns(const std::uint8_t* const* rows, int count,
                                                  std::uint16_t* sums) {
  using Words = typename Lanes::Words;
  for (int x = 0; x < count; x += static_cast<int>(sizeof(typename Lanes::Bytes))) {
    Words row[5];
    for (int j = 0; j < 5; ++j) {
      typename Lanes::Bytes pixels;
      std::memcpy(&pixels, rows[j] + x, sizeof(pixels));
      row[j] = __builtin_convertvector(pixels, Words);
    }
    const Words sum = row[0] + row[4] + 4 * (row[1] + row[3]) + 6 * row[2];
    std::memcpy(sums + x, &sum, sizeof(sum));
  }
}

// Every second of the sums smoothed sideways; those of the first pixel are sums[0...4].
template <typename Lanes>
[[gnu::always_inline]] inline void smooth_row(const std::uint16_t* sums, int width,
                                              std::uint8_t* out) {
  using Ints = typename Lanes::Ints;
  using HalfBytes = typename Lanes::HalfBytes;
  for (int x = 0; x < width; x += static_cast<int>(sizeof(HalfBytes))) {
    Ints a, b, c;  // two sums each, the even one in the lower half
    std::memcpy(&a, sums + 2 * x, sizeof(a));
    std::memcpy(&b, sums + 2 * x + 2, sizeof(b));
    std::memcpy(&c, sums + 2 * x + 4, sizeof(c));
    const Ints sum =
        (a & 0xffff) + (c & 0xffff) + 4 * ((a >> 16) + (b >> 16)) + 6 * (b & 0xffff) + 128;
    const HalfBytes bytes = __builtin_convertvector(sum >> 8, HalfBytes);
    std::memcpy(out + x, &bytes, sizeof(bytes));
  }
}

// Writes the pixels of `to`, and some of the padding.
template <typename Lanes>
[[gnu::always_inline]] inline void reduce(const std::uint8_t* src, const PlaneLayout& from,
                                          std::uint8_t* dst, const PlaneLayout& to,
                                          std::uint16_t* sums) {
  for (int y = 0; y < to.height; ++y) {
    const std::uint8_t* rows[5];
    for (int j = 0; j < 5; ++j) {
      rows[j] = src + static_cast<std::ptrdiff_t>(2 * y + j - 2) * from.stride - 2;
    }
    smooth_columns<Lanes>(rows, 2 * to.width + 3, sums);
    smooth_row<Lanes>(sums, to.width, dst + static_cast<std::ptrdiff_t>(y) * to.stride);
  }
}

using Reduce = void (*)(const std::uint8_t* src, const PlaneLayout& from, std::uint8_t* dst,
                        const PlaneLayout& to, std::uint16_t* sums);

void reduce_narrow(const std::uint8_t* src, const PlaneLayout& from, std::uint8_t* dst,
                   const PlaneLayout& to, std::uint16_t* sums) {
  reduce<Narrow>(src, from, dst, to, sums);
}
#ifdef CLTRACK_AVX2
CLTRACK_AVX2 void reduce_wide(const std::uint8_t* src, const PlaneLayout& from, std::uint8_t* dst,
                              const PlaneLayout& to, std::uint16_t* sums) {
  reduce<Wide>(src, from, dst, to, sums);
}
#endif

Reduce choose_reduce() {
#ifdef CLTRACK_AVX2
  if (has_avx2()) return reduce_wide;
#endif
  return reduce_narrow;
}

// Mirrors the picture into the `padding` pixels around it.
void pad(std::uint8_t* pixels, const PlaneLayout& at, int padding) {
  const auto row = [&](int y) { return pixels + static_cast<std::ptrdiff_t>(y) * at.stride; };
  const bool is_wide = at.width > padding;
  for (int y = 0; y < at.height; ++y) {
    std::uint8_t* first = row(y);
    std::uint8_t* last = first + at.width - 1;
    for (int i = 1; i <= padding; ++i) {
      first[-i] = first[is_wide ? i : mirrored(-i, at.width)];
      last[i] = is_wide ? last[-i] : first[mirrored(at.width - 1 + i, at.width)];
    }
  }
  const auto copy = [&](int y) {
    std::memcpy(row(y) - padding, row(mirrored(y, at.height)) - padding,
                static_cast<std::size_t>(at.stride));
  };
  for (int i = 1; i <= padding; ++i) {
    copy(-i);
    copy(at.height - 1 + i);
  }
}

}  // namespace

void build_flow_pyramid_vector(const ImageView& src, const FlowPyramidShape& shape,
                               std::uint8_t* pixels) {
  static const Reduce reduce_level = choose_reduce();
  const PlaneLayout* levels = shape.levels.levels;
  std::vector<std::uint16_t> sums(static_cast<std::size_t>(src.width + 4 + 2 * kMostLanes));
  for (int y = 0; y < src.height; ++y) {
    std::memcpy(pixels + levels[0].offset + static_cast<std::ptrdiff_t>(y) * levels[0].stride,
                src.row(y), static_cast<std::size_t>(src.width));
  }
  pad(pixels + levels[0].offset, levels[0], shape.padding);
  for (int i = 1; i <= shape.levels.top; ++i) {
    std::uint8_t* const level = pixels + levels[i].offset;
    reduce_level(pixels + levels[i - 1].offset, levels[i - 1], level, levels[i], sums.data());
    pad(level, levels[i], shape.padding);
  }
}

void build_flow_pyramid(const ImageView& src, int levels, int largest_window, FlowPyramid& dst) {
  dst.reshape(padded_flow_pyramid_shape(src.width, src.height, levels, largest_window));
  build_flow_pyramid_vector(src, dst, dst.pixels.host_write().data());
}

}  // namespace cltrack
