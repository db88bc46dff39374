// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "core/random.h"

namespace cltrack {
namespace {

using Body = void (*)(std::span<const float>, float, std::span<float>, std::span<float>);
using Floats = std::vector<float>;

Floats random_spectrum(std::uint64_t seed, float range = 2) {
  Random random(seed);
  Floats spectrum(kScaleSpectrum);
  for (float& value : spectrum) value = random.uniform(-range, range);
  return spectrum;
}

struct Filter {
  explicit Filter(float value)
      : numerators(kScaleSpectrum, value), denominators(kScaleBins, value) {}
  Floats numerators, denominators;
  friend bool operator==(const Filter&, const Filter&) = default;
};

class ScaleLearn : public testing::TestWithParam<Body> {
 protected:
  static void learn(const Floats& spectrum, float rate, Filter& filter) {
    GetParam()(spectrum, rate, filter.numerators, filter.denominators);
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, ScaleLearn,
                         testing::Values(Body{reference::scale_learn}, Body{vector::scale_learn}),
                         [](const auto& body) { return body.index == 0 ? "reference" : "vector"; });

std::complex<double> label(int bin) {
  const double sigma = std::sqrt(33) / 4;
  std::complex<double> sum = 0;
  for (int s = 0; s < kScales; ++s) {
    sum += std::polar(std::exp(-0.5 * (s - 16) * (s - 16) / (sigma * sigma)),
                      -2 * std::numbers::pi * bin * s / kScales);
  }
  return sum;
}

TEST_P(ScaleLearn, ReplacesWhateverWasThere) {
  const Floats spectrum = random_spectrum(1);
  Filter filter(std::numeric_limits<float>::quiet_NaN());
  learn(spectrum, 1, filter);
  for (int k = 0; k < kScaleBins; ++k) {
    double energy = 0;
    for (int v = 0; v < kScaleValues; ++v) {
      const auto re = static_cast<std::size_t>(2 * k * kScaleValues + v);
      const std::size_t im = re + kScaleValues;
      const std::complex<double> x(spectrum[re], spectrum[im]);
      const std::complex<double> expected = label(k) * std::conj(x);
      EXPECT_NEAR(filter.numerators[re], expected.real(), 2e-6) << k << " " << v;
      EXPECT_NEAR(filter.numerators[im], expected.imag(), 2e-6) << k << " " << v;
      energy += std::norm(x);
    }
    EXPECT_NEAR(filter.denominators[static_cast<std::size_t>(k)], energy, 1e-6 * energy);
  }
}

TEST_P(ScaleLearn, RemembersByItsRate) {
  Filter first(0), second(0), both(0);
  learn(random_spectrum(1), 1, first);
  learn(random_spectrum(2), 1, second);
  learn(random_spectrum(1), 1, both);
  learn(random_spectrum(2), 0, both);
  EXPECT_TRUE(both == first);
  learn(random_spectrum(2), 0.25f, both);
  for (std::size_t i = 0; i < kScaleSpectrum; ++i) {
    EXPECT_EQ(both.numerators[i], 0.75f * first.numerators[i] + 0.25f * second.numerators[i]);
  }
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    EXPECT_EQ(both.denominators[k], 0.75f * first.denominators[k] + 0.25f * second.denominators[k]);
  }
}

// 2^24 + 1 is no float: which sums come first shows.
TEST_P(ScaleLearn, AddsUpInLanes) {
  Floats spectrum(kScaleSpectrum);
  for (int v = 0; v < 64; v += 2) spectrum[static_cast<std::size_t>(v)] = 1;
  spectrum[31] = 4096;
  Filter filter(0);
  learn(spectrum, 1, filter);
  EXPECT_EQ(filter.denominators[0], 16777216 + 32);
  spectrum[32 + 31] = 1;
  learn(spectrum, 1, filter);
  EXPECT_EQ(filter.denominators[0], 16777216 + 32);
}

TEST(ScaleLearnBodies, AreEqual) {
  for (const float range : {1e-15f, 2.0f, 1e5f}) {
    Filter expected(3), got(3);
    for (const float rate : {0.025f, 1.0f, 0.3f}) {
      const Floats spectrum = random_spectrum(5, range);
      reference::scale_learn(spectrum, rate, expected.numerators, expected.denominators);
      vector::scale_learn(spectrum, rate, got.numerators, got.denominators);
      EXPECT_TRUE(got == expected) << range << " " << rate;
    }
  }
}

}  // namespace
}  // namespace cltrack
