// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/fourier/fft_plan.h"

#include <cmath>
#include <numbers>

namespace cltrack {
namespace {

// The relative error of a stage, in kFloatUnit. A stage is a scaled orthogonal matrix, so that the
// errors of stages add up (Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2).
// Its twiddle factors cost 2 sqrt(2) for the product and sqrt(1/2) for their own rounding, together
// less than 4; the additions of a radix cost one each on the longest path through its butterfly,
// its constants at most 3 more for radix 3 and 6 for radix 5. All rounded up.
double stage_error(int radix) {
  switch (radix) {
    case 2:
      return 5;
    case 3:
      return 11;
    case 4:
      return 7;
    default:
      return 16;
  }
}

bool is_smooth(int value) {
  for (const int factor : {2, 3, 5}) {
    while (value % factor == 0) value /= factor;
  }
  return value == 1;
}

}  // namespace

FftPlan::FftPlan(int wanted) : length(wanted), error(0) {
  int rest = length;
  for (const int radix : {5, 3, 4, 2}) {
    while (rest % radix == 0) {
      radices.push_back(radix);
      const int parts = rest / radix;
      for (int p = 0; p < parts; ++p) {
        for (int k = 1; k < radix; ++k) {
          const double angle = -2 * std::numbers::pi * p * k / rest;
          twiddles.push_back(static_cast<float>(std::cos(angle)));
          twiddles.push_back(static_cast<float>(std::sin(angle)));
        }
      }
      error += stage_error(radix) * kFloatUnit;
      rest = parts;
    }
  }
}

int fft_length(int least) {
  while (!is_smooth(least)) ++least;
  return least;
}

}  // namespace cltrack
