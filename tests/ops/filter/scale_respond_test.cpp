// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.h"

namespace cltrack {
namespace {

using Body = void (*)(std::span<const float>, std::span<const float>, std::span<const float>,
                      std::span<float>);
using Floats = std::vector<float>;

// Of a target that is 1.02^shift times as large as the first one: each value has a bump at some
// scale of the target.
Floats spectrum_of(int shift, std::uint64_t seed = 1) {
  Random random(seed);
  Floats features(kScaleFeatures);
  for (std::size_t v = 0; v < kScaleValues; ++v) {
    const float middle = random.uniform(-10, 42), width = random.uniform(2, 4);
    for (int s = 0; s < kScales; ++s) {
      const float distance = (static_cast<float>(s - shift) - middle) / width;
      features[static_cast<std::size_t>(s) * kScaleValues + v] =
          0.4f * std::exp(-distance * distance);
    }
  }
  Floats spectrum(kScaleSpectrum);
  reference::scale_spectra(features, spectrum);
  return spectrum;
}

struct Filter {
  Floats numerators = Floats(kScaleSpectrum), denominators = Floats(kScaleBins);
};

Filter learnt(const Floats& spectrum) {
  Filter filter;
  reference::scale_learn(spectrum, 1, filter.numerators, filter.denominators);
  return filter;
}

class ScaleRespond : public testing::TestWithParam<Body> {
 protected:
  static Floats respond(const Floats& spectrum, const Filter& filter) {
    Floats responses(kScales);
    GetParam()(spectrum, filter.numerators, filter.denominators, responses);
    return responses;
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, ScaleRespond,
                         testing::Values(Body{reference::scale_respond},
                                         Body{vector::scale_respond}),
                         [](const auto& body) { return body.index == 0 ? "reference" : "vector"; });

TEST_P(ScaleRespond, AnswersWhatItHasLearntWithTheLabel) {
  const Floats spectrum = spectrum_of(0);
  const Floats responses = respond(spectrum, learnt(spectrum));
  for (int s = 0; s < kScales; ++s) {
    const double sigma = std::sqrt(33) / 4;
    EXPECT_NEAR(responses[static_cast<std::size_t>(s)],
                std::exp(-0.5 * (s - 16) * (s - 16) / (sigma * sigma)), 0.01)
        << s;
  }
}

TEST_P(ScaleRespond, FindsTheScale) {
  const Filter filter = learnt(spectrum_of(0));
  for (const int shift : {-6, -2, -1, 0, 1, 2, 6}) {
    const Floats responses = respond(spectrum_of(shift), filter);
    EXPECT_EQ(std::ranges::max_element(responses) - responses.begin(), kUnchangedScale + shift);
  }
}

// The smallest of 17 bins alone: what is not there is not divided by zero.
TEST_P(ScaleRespond, AnswersNothingWithNothing) {
  const Floats nothing(kScaleSpectrum);
  const Floats responses = respond(nothing, learnt(nothing));
  EXPECT_EQ(responses, Floats(kScales));
}

TEST(ScaleRespondBodies, AreEqual) {
  Random random(7);
  for (const float range : {1e-15f, 2.0f, 1e5f}) {
    Floats spectrum(kScaleSpectrum), expected(kScales), got(kScales);
    Filter filter;
    for (float& value : spectrum) value = random.uniform(-range, range);
    for (float& value : filter.numerators) value = random.uniform(-range, range);
    for (float& value : filter.denominators) value = random.uniform(0, range);
    reference::scale_respond(spectrum, filter.numerators, filter.denominators, expected);
    vector::scale_respond(spectrum, filter.numerators, filter.denominators, got);
    EXPECT_EQ(got, expected) << range;
  }
}

}  // namespace
}  // namespace cltrack
