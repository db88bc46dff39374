// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "support/check_op.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using test::expect_rejected;
using test::Output;
using test::part_of;
using test::random_floats;
using Floats = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

double hann(int s) { return 0.5 * (1 - std::cos(2 * std::numbers::pi * (s + 1) / 34)); }

Floats spectrum_of(const Floats& features) {
  Floats spectrum(kScaleSpectrum);
  reference::scale_spectra(features, spectrum);
  return spectrum;
}

float at(const Floats& spectrum, int bin, int part, int value) {
  return spectrum[static_cast<std::size_t>((2 * bin + part) * kScaleValues + value)];
}

// Value v is there at scale v % 33 alone.
TEST(ScaleSpectra, AScaleTurnsWithTheBins) {
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

TEST(ScaleSpectra, SumsUpAllScales) {
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

struct Filter {
  explicit Filter(float value = 0)
      : numerators(kScaleSpectrum, value), denominators(kScaleBins, value) {}
  Filter& learn(const Floats& spectrum, float rate) {
    reference::scale_learn(spectrum, rate, numerators, denominators);
    return *this;
  }
  Floats respond(const Floats& spectrum) const {
    Floats responses(kScales);
    reference::scale_respond(spectrum, numerators, denominators, responses);
    return responses;
  }
  Floats numerators, denominators;
  friend bool operator==(const Filter&, const Filter&) = default;
};

Floats random_spectrum(std::uint64_t seed) { return random_floats(kScaleSpectrum, -2, 2, seed); }

double label_at(int s) {
  const double sigma = std::sqrt(33) / 4;
  return std::exp(-0.5 * (s - 16) * (s - 16) / (sigma * sigma));
}

std::complex<double> label(int bin) {
  std::complex<double> sum = 0;
  for (int s = 0; s < kScales; ++s) {
    sum += std::polar(label_at(s), -2 * std::numbers::pi * bin * s / kScales);
  }
  return sum;
}

TEST(ScaleLearn, ReplacesWhateverWasThere) {
  const Floats spectrum = random_spectrum(1);
  const Filter filter = Filter(kNan).learn(spectrum, 1);
  for (int k = 0; k < kScaleBins; ++k) {
    double energy = 0;
    for (int v = 0; v < kScaleValues; ++v) {
      const std::complex<double> x(at(spectrum, k, 0, v), at(spectrum, k, 1, v));
      const std::complex<double> expected = label(k) * std::conj(x);
      EXPECT_NEAR(at(filter.numerators, k, 0, v), expected.real(), 2e-6) << k << " " << v;
      EXPECT_NEAR(at(filter.numerators, k, 1, v), expected.imag(), 2e-6) << k << " " << v;
      energy += std::norm(x);
    }
    EXPECT_NEAR(filter.denominators[static_cast<std::size_t>(k)], energy, 1e-6 * energy);
  }
}

TEST(ScaleLearn, RemembersByItsRate) {
  const Filter first = Filter().learn(random_spectrum(1), 1);
  const Filter second = Filter().learn(random_spectrum(2), 1);
  Filter both = first;
  EXPECT_TRUE(both.learn(random_spectrum(2), 0) == first);
  both.learn(random_spectrum(2), 0.25f);
  for (std::size_t i = 0; i < kScaleSpectrum; ++i) {
    EXPECT_EQ(both.numerators[i], 0.75f * first.numerators[i] + 0.25f * second.numerators[i]);
  }
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    EXPECT_EQ(both.denominators[k], 0.75f * first.denominators[k] + 0.25f * second.denominators[k]);
  }
}

// 2^24 + 1 is no float: which sums come first shows.
TEST(ScaleLearn, AddsUpInLanes) {
  Floats spectrum(kScaleSpectrum);
  for (int v = 0; v < 64; v += 2) spectrum[static_cast<std::size_t>(v)] = 1;
  spectrum[31] = 4096;
  EXPECT_EQ(Filter().learn(spectrum, 1).denominators[0], 16777216 + 32);
  spectrum[32 + 31] = 1;
  EXPECT_EQ(Filter().learn(spectrum, 1).denominators[0], 16777216 + 32);
}

// Of a target that is 1.02^shift times as large as the first one: each value has a bump at some
// scale of the target.
Floats spectrum_at(int shift) {
  Random random(1);
  Floats features(kScaleFeatures);
  for (std::size_t v = 0; v < kScaleValues; ++v) {
    const float middle = random.uniform(-10, 42), width = random.uniform(2, 4);
    for (int s = 0; s < kScales; ++s) {
      const float distance = (static_cast<float>(s - shift) - middle) / width;
      features[static_cast<std::size_t>(s) * kScaleValues + v] =
          0.4f * std::exp(-distance * distance);
    }
  }
  return spectrum_of(features);
}

TEST(ScaleRespond, AnswersWhatItHasLearntWithTheLabel) {
  const Floats spectrum = spectrum_at(0);
  const Floats responses = Filter().learn(spectrum, 1).respond(spectrum);
  for (int s = 0; s < kScales; ++s) {
    EXPECT_NEAR(responses[static_cast<std::size_t>(s)], label_at(s), 0.01) << s;
  }
}

TEST(ScaleRespond, FindsTheScale) {
  const Filter filter = Filter().learn(spectrum_at(0), 1);
  for (const int shift : {-6, -2, -1, 0, 1, 2, 6}) {
    const Floats responses = filter.respond(spectrum_at(shift));
    EXPECT_EQ(std::ranges::max_element(responses) - responses.begin(), kUnchangedScale + shift);
  }
}

// What is not there is not divided by zero.
TEST(ScaleRespond, AnswersNothingWithNothing) {
  const Floats nothing(kScaleSpectrum);
  EXPECT_EQ(Filter().learn(nothing, 1).respond(nothing), Floats(kScales));
}

class ScaleFilterOnDevice : public test::DeviceTest {
 protected:
  void check_spectra(std::size_t targets, float range) {
    SCOPED_TRACE(std::to_string(targets) + " within " + std::to_string(range));
    const Floats features = random_floats(targets * kScaleFeatures, -range, range, targets);
    Floats expected(targets * kScaleSpectrum);
    for (std::size_t i = 0; i < targets; ++i) {
      reference::scale_spectra(part_of(features, i, kScaleFeatures),
                               part_of(expected, i, kScaleSpectrum));
    }
    const auto op = [&](auto& spectra) { scale_spectra(*queue_, Array<float>(features), spectra); };
    test::check_op(*queue_, targets == 0 ? 0 : 1, op, Output{expected});
  }

  // Of five slots, of which slot 3 has nothing yet.
  void check_learning(const std::vector<ScaleLearnJob>& jobs, float range = 2) {
    SCOPED_TRACE(std::to_string(jobs.size()) + " jobs within " + std::to_string(range));
    constexpr std::size_t kSlots = 5;
    const Floats all = random_floats(4 * kScaleSpectrum, -range, range, 6);
    Floats numerators(kSlots * kScaleSpectrum, 1.5f), denominators(kSlots * kScaleBins, 1000);
    std::ranges::fill(part_of(numerators, 3, kScaleSpectrum), kNan);
    std::ranges::fill(part_of(denominators, 3, kScaleBins), kNan);
    const Floats numerators_before = numerators, denominators_before = denominators;
    for (const ScaleLearnJob& job : jobs) {
      reference::scale_learn(part_of(all, job.window, kScaleSpectrum), job.rate,
                             part_of(numerators, job.slot, kScaleSpectrum),
                             part_of(denominators, job.slot, kScaleBins));
    }
    const auto op = [&](auto& above, auto& below) {
      scale_learn(*queue_, Array<float>(all), Array<ScaleLearnJob>(jobs), above, below);
    };
    test::check_op(*queue_, jobs.empty() ? 0 : 1, op, Output{numerators, numerators_before},
                   Output{denominators, denominators_before});
  }

  void check_responses(const std::vector<ScaleRespondJob>& jobs, float range = 2) {
    SCOPED_TRACE(std::to_string(jobs.size()) + " jobs within " + std::to_string(range));
    constexpr std::size_t kWindows = 4, kSlots = 3;
    const Floats spectra = random_floats(kWindows * kScaleSpectrum, -range, range, 1);
    const Floats numerators = random_floats(kSlots * kScaleSpectrum, -range, range, 2);
    const Floats denominators = random_floats(kSlots * kScaleBins, 0, 500 * range, 3);
    Floats expected(jobs.size() * kScales);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      reference::scale_respond(part_of(spectra, jobs[i].window, kScaleSpectrum),
                               part_of(numerators, jobs[i].slot, kScaleSpectrum),
                               part_of(denominators, jobs[i].slot, kScaleBins),
                               part_of(expected, i, kScales));
    }
    const auto op = [&](auto& responses) {
      scale_respond(*queue_, Array<float>(spectra), Array<ScaleRespondJob>(jobs),
                    Array<float>(numerators), Array<float>(denominators), responses);
    };
    test::check_op(*queue_, jobs.empty() ? 0 : 1, op, Output{expected});
  }
};

TEST_P(ScaleFilterOnDevice, SpectraOfAnyNumberOfTargets) {
  for (const std::size_t targets : {0u, 1u, 2u, 7u}) check_spectra(targets, 0.4f);
  for (const float range : {1e-20f, 1e6f}) check_spectra(1, range);
}

TEST_P(ScaleFilterOnDevice, LearnsAnyJobs) {
  for (const float range : {1e-15f, 2.0f, 1e5f}) {
    check_learning({{.window = 0, .slot = 0, .rate = 0.025f}}, range);
    check_learning({{.window = 2, .slot = 4, .rate = 0.3f},
                    {.window = 2, .slot = 3, .rate = 1},
                    {.window = 0, .slot = 1, .rate = 0}},
                   range);
  }
  check_learning({});
}

TEST_P(ScaleFilterOnDevice, RespondsToAnyJobs) {
  for (const float range : {1e-15f, 2.0f, 1e5f}) check_responses({{.window = 0, .slot = 0}}, range);
  check_responses({{.window = 3, .slot = 1},
                   {.window = 0, .slot = 2},
                   {.window = 2, .slot = 1},
                   {.window = 3, .slot = 0},
                   {.window = 3, .slot = 1}});
  check_responses({});
  allow_small_groups_only();
  check_responses({{.window = 1, .slot = 2}, {.window = 2, .slot = 0}});
}

TEST_P(ScaleFilterOnDevice, RejectsPartsOfTargetsAndSlots) {
  Array<float> result;
  const Array<float> features(kScaleFeatures + kScaleValues);
  expect_rejected([&] { scale_spectra(*queue_, features, result); });
  struct Sizes {
    std::size_t spectra, numerators, denominators;
  };
  for (const Sizes& sizes : {Sizes{1, kScaleSpectrum, kScaleBins},
                             {kScaleSpectrum, 2 * kScaleSpectrum, kScaleBins},
                             {kScaleSpectrum, kScaleSpectrum, kScaleBins + 1}}) {
    const Array<float> spectra(sizes.spectra);
    Array<float> above(sizes.numerators), below(sizes.denominators);
    expect_rejected([&] { scale_learn(*queue_, spectra, {}, above, below); });
    expect_rejected([&] { scale_respond(*queue_, spectra, {}, above, below, result); });
  }
}

CLTRACK_ON_EVERY_DEVICE(ScaleFilterOnDevice);

}  // namespace
}  // namespace cltrack
