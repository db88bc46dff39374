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

}  // namespace cltrack
