// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the vector bodies: weigh() of flow_window.h for 16 neighbouring places. Products are
// added in pairs, by one instruction (pmaddwd).
#pragma once

#include "core/processor.h"

#if CLTRACK_X86

#include <immintrin.h>

#include <cstdint>

#include "ops/flow/flow_window.h"

namespace cltrack::avx2 {

CLTRACK_AVX2 inline __m256i load(const std::int16_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

CLTRACK_AVX2 inline void store(std::int16_t* p, __m256i words) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), words);
}

// 16 pixels as words.
CLTRACK_AVX2 inline __m256i load(const std::uint8_t* p) {
  return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

// 16 columns of 32 bits: in `low` columns 0 to 3 and 8 to 11, in `high` the others, which is the
// order of the instructions that unpack and pack words.
struct Columns {
  __m256i low;
  __m256i high;
};

// The word of each of 16 columns, and the next one.
template <typename T>
CLTRACK_AVX2 inline Columns pairs(const T* p) {
  const __m256i left = load(p);
  const __m256i right = load(p + 1);
  return {_mm256_unpacklo_epi16(left, right), _mm256_unpackhi_epi16(left, right)};
}

struct Weights {
  __m256i upper;
  __m256i lower;
};

CLTRACK_AVX2 inline Weights weights(const PixelWeights& at) {
  const auto both = [](int left, int right) {
    return static_cast<int>((static_cast<unsigned>(left) & 0xffff) |
                            (static_cast<unsigned>(right) << 16));
  };
  return {_mm256_set1_epi32(both(at.upper_left, at.upper_right)),
          _mm256_set1_epi32(both(at.lower_left, at.lower_right))};
}

CLTRACK_AVX2 inline Columns weigh(const Columns& upper, const Columns& lower, const Weights& by) {
  return {_mm256_add_epi32(_mm256_madd_epi16(upper.low, by.upper),
                           _mm256_madd_epi16(lower.low, by.lower)),
          _mm256_add_epi32(_mm256_madd_epi16(upper.high, by.upper),
                           _mm256_madd_epi16(lower.high, by.lower))};
}

// Shifted down with rounding, as words.
template <int kBits>
CLTRACK_AVX2 inline __m256i rounded(const Columns& sums) {
  const __m256i half = _mm256_set1_epi32(1 << (kBits - 1));
  return _mm256_packs_epi32(_mm256_srai_epi32(_mm256_add_epi32(sums.low, half), kBits),
                            _mm256_srai_epi32(_mm256_add_epi32(sums.high, half), kBits));
}

}  // namespace cltrack::avx2

#endif
