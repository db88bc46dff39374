// SPDX-License-Identifier: LGPL-2.1-or-later
// The similarity a row of the squares at a time. Sums of products are taken in double precision,
// which holds each of them exactly: 100 * (255 * 2^14)^2 < 2^53.
#include <algorithm>
#include <cmath>

#include "core/processor.h"
#include "ops/flow/between_pixels_avx2.h"
#include "ops/flow/point_similarity.h"

namespace cltrack {
namespace {

#if CLTRACK_X86

using namespace avx2;

constexpr int kSide = kSimilaritySide;
constexpr int kColumns = 17;  // that vectors read

struct Square {
  PixelWeights at;
  ImageView pixels;
  std::uint8_t scratch[kColumns * (kSide + 1)] = {};

  Square(const ImageView& image, const Point& point)
      : at(pixel_weights(point.x - 0.5f * (kSide - 1), point.y - 0.5f * (kSide - 1))) {
    if (at.x >= 0 && at.y >= 0 && at.x + kColumns <= image.width &&
        at.y + kSide + 1 <= image.height) {
      pixels = {image.row(at.y) + at.x, kColumns, kSide + 1, image.stride};
      return;
    }
    pixels = {scratch, kColumns, kSide + 1, kColumns};
    for (int y = 0; y <= kSide; ++y) {
      const std::uint8_t* row = image.row(std::clamp(at.y + y, 0, image.height - 1));
      for (int x = 0; x <= kSide; ++x) {
        scratch[y * kColumns + x] = row[std::clamp(at.x + x, 0, image.width - 1)];
      }
    }
  }
};

struct Sums {
  __m256d a, b, aa, bb, ab;

  CLTRACK_AVX2 void add(__m128i values_a, __m128i values_b) {
    const __m256d va = _mm256_cvtepi32_pd(values_a);
    const __m256d vb = _mm256_cvtepi32_pd(values_b);
    a = _mm256_add_pd(a, va);
    b = _mm256_add_pd(b, vb);
    aa = _mm256_add_pd(aa, _mm256_mul_pd(va, va));
    bb = _mm256_add_pd(bb, _mm256_mul_pd(vb, vb));
    ab = _mm256_add_pd(ab, _mm256_mul_pd(va, vb));
  }
};

CLTRACK_AVX2 std::int64_t total(__m256d values) {
  alignas(32) double four[4];
  _mm256_store_pd(four, values);
  return static_cast<std::int64_t>(four[0] + four[1] + four[2] + four[3]);
}

CLTRACK_AVX2 SimilaritySums add_up(const Square& a, const Square& b) {
  const Weights by_a = weights(a.at);
  const Weights by_b = weights(b.at);
  const __m128i two = _mm_set_epi32(0, 0, -1, -1);  // of columns 8 to 11, 8 and 9 count
  Columns upper_a = pairs(a.pixels.row(0));
  Columns upper_b = pairs(b.pixels.row(0));
  const __m256d zero = _mm256_setzero_pd();
  Sums sums = {zero, zero, zero, zero, zero};
  for (int y = 0; y < kSide; ++y) {
    const Columns lower_a = pairs(a.pixels.row(y + 1));
    const Columns lower_b = pairs(b.pixels.row(y + 1));
    const Columns va = weigh(upper_a, lower_a, by_a);
    const Columns vb = weigh(upper_b, lower_b, by_b);
    sums.add(_mm256_castsi256_si128(va.low), _mm256_castsi256_si128(vb.low));
    sums.add(_mm256_castsi256_si128(va.high), _mm256_castsi256_si128(vb.high));
    sums.add(_mm_and_si128(_mm256_extracti128_si256(va.low, 1), two),
             _mm_and_si128(_mm256_extracti128_si256(vb.low, 1), two));
    upper_a = lower_a;
    upper_b = lower_b;
  }
  return {total(sums.a), total(sums.b), total(sums.aa), total(sums.bb), total(sums.ab)};
}

float similarity_avx2(const ImageView& a, const Point& pa, const ImageView& b, const Point& pb) {
  return correlation(add_up({a, pa}, {b, pb}));
}

#else

constexpr auto similarity_avx2 = reference::point_similarity;

#endif

}  // namespace

float vector::point_similarity(const ImageView& a, const Point& pa, const ImageView& b,
                               const Point& pb) {
  static const auto body = fastest_body(reference::point_similarity, similarity_avx2);
  return body(a, pa, b, pb);
}

}  // namespace cltrack
