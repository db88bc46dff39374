// SPDX-License-Identifier: LGPL-2.1-or-later
// The correlation filter's host bodies: filter_spectrum, filter_learn, filter_respond.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.h"
#include "ops/filter/translation_filter.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using Floats = std::vector<float>;

Floats random_features(std::uint64_t seed) {
  Random random(seed);
  Floats features(kFilterFeatures);
  for (float& value : features) value = static_cast<float>(random.below(4001)) * 1e-4f - 0.1f;
  return features;
}

// What the features become when the picture moves by (dx, dy) cells; what comes in at the border is
// what left it at the other one.
Floats moved(const Floats& features, int dx, int dy) {
  Floats result(features.size());
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto cell = static_cast<int>(i % kFilterPlane);
    const int x = (cell / kFilterCells - dx + kFilterCells) % kFilterCells;
    const int y = (cell % kFilterCells - dy + kFilterCells) % kFilterCells;
    result[i] =
        features[i / kFilterPlane * kFilterPlane + static_cast<std::size_t>(x * kFilterCells + y)];
  }
  return result;
}

float largest_difference(const Floats& a, const Floats& b) {
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

class Filter : public testing::Test {
 protected:
  Floats spectrum_of(const Floats& features) {
    Floats spectrum(kFilterSpectrum);
    vector::filter_spectrum(tables_, features, spectrum);
    return spectrum;
  }
  Floats response_of(const Floats& features, const Floats& filter) {
    Floats response(kFilterPlane);
    vector::filter_respond(tables_, spectrum_of(features), filter, response);
    return response;
  }
  FilterTables tables_;
  Floats work_ = Floats(kFilterSpectrum, std::numeric_limits<float>::quiet_NaN());
};

TEST_F(Filter, SpectrumIsTheTransform) {
  const Floats features = random_features(1);
  Floats expected(kFilterSpectrum);
  reference::filter_spectrum(features, expected);
  EXPECT_LT(largest_difference(spectrum_of(features), expected), 2e-4f);
}

TEST_F(Filter, SpectrumOfOneCellTurnsEvenly) {
  Floats features(kFilterFeatures);
  features[20 * kFilterPlane + 5 * kFilterCells + 9] = 1;
  const double weight = kFilterGain * filter_weight(5) * filter_weight(9);
  const Floats spectrum = spectrum_of(features);
  for (std::size_t bin = 0; bin < kFilterBins; ++bin) {
    const double angle =
        -2 * std::numbers::pi * static_cast<double>(5 * (bin % 32) + 9 * (bin / 32)) / 32;
    EXPECT_NEAR(spectrum[20 * 2 * kFilterBins + bin], weight * std::cos(angle), 1e-5);
    EXPECT_NEAR(spectrum[41 * kFilterBins + bin], weight * std::sin(angle), 1e-5);
    EXPECT_NEAR(spectrum[4 * 2 * kFilterBins + bin], 0, 1e-6);
  }
}

TEST_F(Filter, LearnsAndRespondsAsTheReference) {
  Floats filter(kFilterSpectrum, std::numeric_limits<float>::quiet_NaN());
  Floats expected = filter;
  for (const float temporal : {0.0f, 15.0f}) {
    const Floats spectrum = spectrum_of(random_features(2 + static_cast<unsigned>(temporal)));
    const FilterJob job = filter_job(0, 0, 30, 50, temporal);
    vector::filter_learn(tables_, job, spectrum, work_, filter);
    reference::filter_learn(job, spectrum, expected);
    const float size = std::abs(*std::ranges::max_element(expected));
    EXPECT_LT(largest_difference(filter, expected), 1e-4f * size);
    Floats response(kFilterPlane), response_expected(kFilterPlane);
    vector::filter_respond(tables_, spectrum, filter, response);
    reference::filter_respond(spectrum, filter, response_expected);
    EXPECT_LT(largest_difference(response, response_expected), 1e-4f);
  }
}

// The peak goes where the picture went.
TEST_F(Filter, RespondsWhereTheTargetIs) {
  const Floats features = random_features(5);
  Floats filter(kFilterSpectrum);
  vector::filter_learn(tables_, filter_job(0, 0, 40, 40, 0), spectrum_of(features), work_, filter);
  for (const auto& [dx, dy] : {std::pair(0, 0), std::pair(3, 1), std::pair(-4, 2)}) {
    const Floats response = response_of(moved(features, dx, dy), filter);
    const auto peak = std::ranges::max_element(response) - response.begin();
    EXPECT_EQ(peak, (dx + 32) % 32 * 32 + (dy + 32) % 32);
    EXPECT_GT(*std::ranges::max_element(response), 0.3f);
  }
}

// What lies outside of the target counts less than without a mask.
TEST_F(Filter, LooksAtTheTarget) {
  const Floats features = random_features(6);
  Floats inside = features, outside = features;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto cell = static_cast<int>(i % kFilterPlane);
    const bool is_inside = std::abs(static_cast<float>(cell / 32) - 15.5f) < 3 &&
                           std::abs(static_cast<float>(cell % 32) - 15.5f) < 8;
    (is_inside ? outside : inside)[i] = 0;
  }
  const auto share_outside = [&](const FilterJob& job) {
    Floats filter(kFilterSpectrum);
    vector::filter_learn(tables_, job, spectrum_of(features), work_, filter);
    return response_of(outside, filter)[0] / response_of(inside, filter)[0];
  };
  FilterJob job = filter_job(0, 0, 20, 80, 0);
  EXPECT_FLOAT_EQ(job.half_width, 16 / 11.0f + 0.25f);  // 32 cells are 5.5 roots of the area
  EXPECT_FLOAT_EQ(job.half_height, 64 / 11.0f + 0.25f);
  EXPECT_NEAR(share_outside(job), 0, 1e-4f);
  job.half_width = job.half_height = 16;
  EXPECT_GT(std::abs(share_outside(job)), 0.01f);
}

TEST(FilterJobs, SmallSidesKeepTheMiddle) {
  const FilterJob job = filter_job(3, 4, 1, 2500, 15);
  EXPECT_EQ(job.half_width, 0.5f);
  EXPECT_GT(job.half_height, 16);
  EXPECT_EQ(job.window, 3);
  EXPECT_EQ(job.slot, 4);
}

}  // namespace
}  // namespace cltrack
