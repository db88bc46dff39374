// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/random.h"

namespace cltrack {
namespace {

using Body = void (*)(std::span<const float>, std::span<float>);
using Floats = std::vector<float>;

class ScaleSpectra : public testing::TestWithParam<Body> {
 protected:
  static Floats spectrum_of(const Floats& features) {
    Floats spectrum(kScaleSpectrum);
    GetParam()(features, spectrum);
    return spectrum;
  }
  static float at(const Floats& spectrum, int bin, int part, int value) {
    return spectrum[static_cast<std::size_t>((2 * bin + part) * kScaleValues + value)];
  }
  static double hann(int s) { return 0.5 * (1 - std::cos(2 * std::numbers::pi * (s + 1) / 34)); }
};

INSTANTIATE_TEST_SUITE_P(Bodies, ScaleSpectra,
                         testing::Values(Body{reference::scale_spectra},
                                         Body{vector::scale_spectra}),
                         [](const auto& body) { return body.index == 0 ? "reference" : "vector"; });

// Value v is there at scale v % 33 alone.
TEST_P(ScaleSpectra, AScaleTurnsWithTheBins) {
  Floats features(kScaleFeatures);
  for (int v = 0; v < kScaleValues; ++v) {
    features[static_cast<std::size_t>(v % kScales * kScaleValues + v)] = 8;
  }
  const Floats spectrum = spectrum_of(features);
  for (int k = 0; k < kScaleBins; ++k) {
    for (int v = 0; v < kScaleValues; ++v) {
      const int s = v % kScales;
      const double angle = -2 * std::numbers::pi * k * s / kScales;
      EXPECT_NEAR(at(spectrum, k, 0, v), 8 * hann(s) * std::cos(angle), 1e-6) << k << " " << v;
      EXPECT_NEAR(at(spectrum, k, 1, v), 8 * hann(s) * std::sin(angle), 1e-6) << k << " " << v;
    }
  }
}

TEST_P(ScaleSpectra, SumsUpAllScales) {
  Floats features(kScaleFeatures);
  for (std::size_t i = 0; i < features.size(); ++i) {
    features[i] = static_cast<float>(i % kScaleValues);
  }
  const Floats spectrum = spectrum_of(features);
  double sum = 0;
  for (int s = 0; s < kScales; ++s) sum += hann(s);
  for (int v = 0; v < kScaleValues; ++v) {
    EXPECT_NEAR(at(spectrum, 0, 0, v), v * sum, 1e-5 * v);
    EXPECT_EQ(at(spectrum, 0, 1, v), 0);
  }
}

TEST(ScaleSpectraBodies, AreEqual) {
  Random random(4);
  for (const float range : {1e-20f, 0.4f, 1e6f}) {
    Floats features(kScaleFeatures);
    for (float& feature : features) feature = random.uniform(-range, range);
    Floats expected(kScaleSpectrum), got(kScaleSpectrum);
    reference::scale_spectra(features, expected);
    vector::scale_spectra(features, got);
    EXPECT_TRUE(got == expected) << range;
  }
}

}  // namespace
}  // namespace cltrack
