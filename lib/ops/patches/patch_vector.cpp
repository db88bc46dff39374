// SPDX-License-Identifier: LGPL-2.1-or-later
// Patches on vectors: the columns of a box eight at a time with their sums kept in registers, then
// its rows as inner products of 16-bit numbers.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/processor.h"
#include "ops/patches/patch_axis.h"

#if CLTRACK_X86
#include <immintrin.h>
#endif

namespace cltrack {
namespace {

using Bytes8 [[gnu::vector_size(8)]] = std::uint8_t;
using Ints8 [[gnu::vector_size(32)]] = std::int32_t;
using Shorts8 [[gnu::vector_size(16)]] = std::int16_t;
constexpr int kLanes = 8;

[[gnu::always_inline]] inline std::int32_t inner_product(const std::int16_t* a,
                                                         const std::int16_t* b, int count) {
  std::int32_t sum = 0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// sums[x] = the `taps` pixels at rows[0...][x] by their weights, in 1/kPatchUnit: at most 1.25 *
// 255 of them, which 16 bits hold. `width` is at least kLanes.
[[gnu::always_inline]] inline void weigh_columns(const std::uint8_t* const* rows,
                                                 const std::int16_t* weights, int taps, int width,
                                                 std::int16_t* sums) {
  for (int next = 0; next < width; next += kLanes) {
    const int x = std::min(next, width - kLanes);
    Ints8 sum = Ints8{} + (1 << (kWeightBits - kRowBits - 1));
    for (int t = 0; t < taps; ++t) {
      Bytes8 pixels;
      std::memcpy(&pixels, rows[t] + x, sizeof(pixels));
      sum += std::int32_t{weights[t]} * __builtin_convertvector(pixels, Ints8);
    }
    const Shorts8 rounded = __builtin_convertvector(sum >> (kWeightBits - kRowBits), Shorts8);
    std::memcpy(sums + x, &rounded, sizeof(rounded));
  }
}

using WeighColumns = void(const std::uint8_t* const* rows, const std::int16_t* weights, int taps,
                          int width, std::int16_t* sums);

template <WeighColumns weigh>
[[gnu::always_inline]] inline void sample(const ImageView& image, const PatchAxis& xs,
                                          const PatchAxis& ys, Patch& patch) {
  // The row of sums is continued on both sides, as far as weights reach, with its outermost values.
  const int width = xs.high - xs.low + 1;
  const int left = std::max(0, xs.low - xs.first.front());
  const int right = std::max(0, xs.first.back() + xs.stride - xs.high);
  std::vector<std::int16_t> row(static_cast<std::size_t>(left + width + right));
  std::vector<const std::uint8_t*> sources(static_cast<std::size_t>(ys.taps) + 1);
  std::int16_t* sums = row.data() + left;
  for (int j = 0; j < kPatchSide; ++j) {
    for (int t = 0; t < ys.taps; ++t) {
      sources[static_cast<std::size_t>(t)] = image.row(ys.clamped(j, t)) + xs.low;
    }
    sources.back() = sources.front();  // its weight is 0
    weigh(sources.data(), ys.weights_of(j), ys.taps, width, sums);
    std::fill_n(row.data(), left, sums[0]);
    std::fill_n(sums + width, right, sums[width - 1]);
    for (int i = 0; i < kPatchSide; ++i) {
      const std::int32_t sum =
          inner_product(xs.weights_of(i), sums + xs.first[static_cast<std::size_t>(i)] - xs.low,
                        xs.stride) +
          (1 << (kWeightBits - 1));
      patch.pixels[static_cast<std::size_t>(j * kPatchSide + i)] =
          static_cast<std::int16_t>(std::clamp(sum >> kWeightBits, 0, 255 * kPatchUnit));
    }
  }
}

#if CLTRACK_X86
// The same two rows at a time: their pixels alternately, times their weights alternately. If the
// number of rows is odd, a row with weight 0 follows.
CLTRACK_AVX2 inline void weigh_columns_wide(const std::uint8_t* const* rows,
                                            const std::int16_t* weights, int taps, int width,
                                            std::int16_t* sums) {
  constexpr int shift = kWeightBits - kRowBits;
  for (int next = 0; next < width; next += kLanes) {
    const int x = std::min(next, width - kLanes);
    __m256i sum = _mm256_set1_epi32(1 << (shift - 1));
    for (int t = 0; t < taps; t += 2) {
      const __m128i upper = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(rows[t] + x));
      const __m128i lower = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(rows[t + 1] + x));
      const __m256i pixels = _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(upper, lower));
      std::int32_t both;
      std::memcpy(&both, weights + t, sizeof(both));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pixels, _mm256_set1_epi32(both)));
    }
    sum = _mm256_srai_epi32(sum, shift);
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(sums + x),
        _mm_packs_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1)));
  }
}

#else
constexpr WeighColumns* weigh_columns_wide = weigh_columns;
#endif

void sample_narrow(const ImageView& image, const PatchAxis& xs, const PatchAxis& ys, Patch& patch) {
  sample<weigh_columns>(image, xs, ys, patch);
}
CLTRACK_AVX2 void sample_wide(const ImageView& image, const PatchAxis& xs, const PatchAxis& ys,
                              Patch& patch) {
  sample<weigh_columns_wide>(image, xs, ys, patch);
}

std::int32_t product_narrow(const std::int16_t* a, const std::int16_t* b) {
  return inner_product(a, b, kPatchStride);
}
CLTRACK_AVX2 std::int32_t product_wide(const std::int16_t* a, const std::int16_t* b) {
  return inner_product(a, b, kPatchStride);
}

}  // namespace

Patch vector::extract_patch(const ImageView& image, const BoundingBox& box) {
  const PatchAxis xs = vector::make_patch_axis(box.x, box.width, image.width);
  const PatchAxis ys = vector::make_patch_axis(box.y, box.height, image.height);
  if (xs.high - xs.low + 1 < kLanes) return reference::extract_patch(image, box);
  static const auto body = fastest_body(sample_narrow, sample_wide);
  Patch patch;
  body(image, xs, ys, patch);
  center_patch(patch);
  return patch;
}

float vector::ncc(const Patch& a, const Patch& b) {
  if (a.norm == 0 || b.norm == 0) return 0;
  static const auto product = fastest_body(product_narrow, product_wide);
  return static_cast<float>(product(a.pixels.data(), b.pixels.data())) / (a.norm * b.norm);
}

}  // namespace cltrack
