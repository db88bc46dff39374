// SPDX-License-Identifier: LGPL-2.1-or-later
// The stages of a complex Fourier transform, on the host and on devices: Stockham's algorithm in
// float, in stages of radix 2, 3, 4 or 5 that need no reordering. Stage after stage, with `rest`
// (at first the length) and `stride` (at first 1), for p < rest / radix, q < stride:
//
//   y[q + stride * (radix * p + k)] = twiddle(p, k) * sum_j x[q + stride * (p + rest / radix * j)]
//                                                          * exp(-2 pi i j k / radix)
//
// then rest /= radix, stride *= radix. An inverse transform is the same with real and imaginary
// parts exchanged on both sides. Nothing is scaled.
#pragma once

#include <utility>
#include <vector>

namespace cltrack {

inline constexpr double kFloatUnit = 1.0 / (1 << 24);  // half the distance from 1 to the next float

struct FftPlan {
  explicit FftPlan(int length);  // as fft_length() returns it

  int length;
  std::vector<int> radices;  // of the stages
  // Real and imaginary part of exp(-2 pi i p k / rest), stage by stage, p by p, 1 <= k < radix.
  std::vector<float> twiddles;
  // Bound of the rounding error: |computed - exact| <= error * |exact|, in the Euclidean norm of
  // the whole transform.
  double error;
};

// The least length with no other prime factors than 2, 3 and 5 that is not below `least`.
int fft_length(int least);

// Eight complex Fourier transforms of the same length at once, one in each lane of a vector; see
// fft_plan.h. Everything is inlined into functions that are compiled for a processor.

using Floats8 [[gnu::vector_size(32)]] = float;

// The alignment of vectors depends on the target, so that it is fixed here.
struct alignas(32) Complex8 {
  Floats8 re, im;
};

namespace fft {

template <int radix>
[[gnu::always_inline]] inline void butterfly(Complex8* a) {
  if constexpr (radix == 2) {
    const Complex8 b = a[1];
    a[1] = {a[0].re - b.re, a[0].im - b.im};
    a[0] = {a[0].re + b.re, a[0].im + b.im};
  } else if constexpr (radix == 3) {
    constexpr float kSin = 0.866025403784438647f;
    const Complex8 sum = {a[1].re + a[2].re, a[1].im + a[2].im};
    const Complex8 turned = {kSin * (a[1].im - a[2].im), kSin * (a[2].re - a[1].re)};
    const Complex8 middle = {a[0].re - 0.5f * sum.re, a[0].im - 0.5f * sum.im};
    a[0] = {a[0].re + sum.re, a[0].im + sum.im};
    a[1] = {middle.re + turned.re, middle.im + turned.im};
    a[2] = {middle.re - turned.re, middle.im - turned.im};
  } else if constexpr (radix == 4) {
    const Complex8 even = {a[0].re + a[2].re, a[0].im + a[2].im};
    const Complex8 even_gap = {a[0].re - a[2].re, a[0].im - a[2].im};
    const Complex8 odd = {a[1].re + a[3].re, a[1].im + a[3].im};
    const Complex8 odd_gap = {a[1].re - a[3].re, a[1].im - a[3].im};
    a[0] = {even.re + odd.re, even.im + odd.im};
    a[1] = {even_gap.re + odd_gap.im, even_gap.im - odd_gap.re};
    a[2] = {even.re - odd.re, even.im - odd.im};
    a[3] = {even_gap.re - odd_gap.im, even_gap.im + odd_gap.re};
  } else {
    static_assert(radix == 5);
    constexpr float kCos1 = 0.309016994374947424f, kCos2 = -0.809016994374947424f;
    constexpr float kSin1 = 0.951056516295153572f, kSin2 = 0.587785252292473129f;
    const Complex8 sum1 = {a[1].re + a[4].re, a[1].im + a[4].im};
    const Complex8 gap1 = {a[1].re - a[4].re, a[1].im - a[4].im};
    const Complex8 sum2 = {a[2].re + a[3].re, a[2].im + a[3].im};
    const Complex8 gap2 = {a[2].re - a[3].re, a[2].im - a[3].im};
    const Complex8 flat1 = {a[0].re + (kCos1 * sum1.re + kCos2 * sum2.re),
                            a[0].im + (kCos1 * sum1.im + kCos2 * sum2.im)};
    const Complex8 flat2 = {a[0].re + (kCos2 * sum1.re + kCos1 * sum2.re),
                            a[0].im + (kCos2 * sum1.im + kCos1 * sum2.im)};
    const Complex8 turned1 = {kSin1 * gap1.im + kSin2 * gap2.im,
                              -(kSin1 * gap1.re + kSin2 * gap2.re)};
    const Complex8 turned2 = {kSin2 * gap1.im - kSin1 * gap2.im,
                              -(kSin2 * gap1.re - kSin1 * gap2.re)};
    a[0] = {a[0].re + (sum1.re + sum2.re), a[0].im + (sum1.im + sum2.im)};
    a[1] = {flat1.re + turned1.re, flat1.im + turned1.im};
    a[2] = {flat2.re + turned2.re, flat2.im + turned2.im};
    a[3] = {flat2.re - turned2.re, flat2.im - turned2.im};
    a[4] = {flat1.re - turned1.re, flat1.im - turned1.im};
  }
}

template <int radix>
[[gnu::always_inline]] inline void stage(const Complex8* x, Complex8* y, int parts, int stride,
                                         const float* twiddles) {
  for (int p = 0; p < parts; ++p, twiddles += 2 * (radix - 1)) {
    const Complex8* from = x + p * stride;
    Complex8* to = y + radix * p * stride;
    for (int q = 0; q < stride; ++q) {
      Complex8 a[radix];
      for (int j = 0; j < radix; ++j) a[j] = from[q + parts * stride * j];
      butterfly<radix>(a);
      to[q] = a[0];
      for (int k = 1; k < radix; ++k) {
        const float re = twiddles[2 * k - 2], im = twiddles[2 * k - 1];
        to[q + k * stride] = {a[k].re * re - a[k].im * im, a[k].re * im + a[k].im * re};
      }
    }
  }
}

// Transforms `data`; `other` is as large. Returns the one that has the result.
[[gnu::always_inline]] inline Complex8* transform(const FftPlan& plan, Complex8* data,
                                                  Complex8* other) {
  const float* twiddles = plan.twiddles.data();
  int rest = plan.length, stride = 1;
  for (const int radix : plan.radices) {
    const int parts = rest / radix;
    switch (radix) {
      case 2:
        stage<2>(data, other, parts, stride, twiddles);
        break;
      case 3:
        stage<3>(data, other, parts, stride, twiddles);
        break;
      case 4:
        stage<4>(data, other, parts, stride, twiddles);
        break;
      default:
        stage<5>(data, other, parts, stride, twiddles);
    }
    twiddles += 2 * (radix - 1) * parts;
    std::swap(data, other);
    rest = parts;
    stride *= radix;
  }
  return data;
}

// Swaps lane j of vector i and lane i of vector j.
[[gnu::always_inline]] inline void transpose(Floats8* v) {
  Floats8 a[8], b[8];
  for (int i = 0; i < 8; i += 2) {
    a[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    a[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4) {
    for (int j = 0; j < 2; ++j) {
      b[i + j] = __builtin_shufflevector(a[i + j], a[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + j + 2] = __builtin_shufflevector(a[i + j], a[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int j = 0; j < 4; ++j) {
    v[j] = __builtin_shufflevector(b[j], b[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    v[j + 4] = __builtin_shufflevector(b[j], b[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

}  // namespace fft

}  // namespace cltrack
