// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/fourier/fft_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "core/random.h"

namespace cltrack {
namespace {

TEST(FftLength, IsTheNextSmoothNumber) {
  for (const auto& [least, length] :
       {std::pair{1, 1}, {2, 2}, {7, 8}, {11, 12}, {13, 15}, {97, 100}, {426, 432}, {854, 864}}) {
    EXPECT_EQ(fft_length(least), length);
  }
}

// The error stays below what is promised, and is there at all.
TEST(FftPlan, TransformsWithinItsError) {
  Random random(1);
  for (const int length : {1,  2,  3,  4,  5,  6,  8,   9,   10,  12,  15,  16,  25,
                           27, 30, 32, 60, 64, 75, 100, 125, 128, 180, 240, 432, 720}) {
    SCOPED_TRACE(length);
    const FftPlan plan(length);
    const auto size = static_cast<std::size_t>(length);
    std::vector<Complex8> data(size), other(size);
    for (Complex8& value : data) {
      for (int lane = 0; lane < 8; ++lane) {
        value.re[lane] = random.uniform(-1, 1);
        value.im[lane] = random.uniform(-1, 1);
      }
    }
    const std::vector<Complex8> input = data;
    const Complex8* result = fft::transform(plan, data.data(), other.data());
    for (const int lane : {0, 3, 7}) {
      double error = 0, norm = 0;
      for (int k = 0; k < length; ++k) {
        std::complex<double> exact = 0;
        for (int i = 0; i < length; ++i) {
          const auto turn = static_cast<double>(std::int64_t{i} * k % length) / length;
          exact += std::polar(1.0, -2 * std::numbers::pi * turn) *
                   std::complex<double>(input[static_cast<std::size_t>(i)].re[lane],
                                        input[static_cast<std::size_t>(i)].im[lane]);
        }
        const std::complex<double> own(result[k].re[lane], result[k].im[lane]);
        error += std::norm(own - exact);
        norm += std::norm(exact);
      }
      EXPECT_LE(std::sqrt(error), plan.error * std::sqrt(norm));
      if (length > 8) {
        EXPECT_GT(error, 0);
      }
    }
  }
}

TEST(FftLanes, Transposes) {
  Floats8 v[8];
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) v[i][j] = static_cast<float>(8 * i + j);
  }
  fft::transpose(v);
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) EXPECT_EQ(v[i][j], static_cast<float>(8 * j + i));
  }
}

}  // namespace
}  // namespace cltrack
