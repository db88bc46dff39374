// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/random.h"
#include "ops/filter/scale_filter.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using Floats = std::vector<float>;

class ScaleLearnOnDevice : public test::DeviceTest {
 protected:
  // Spectra that a filter of five slots learns.
  static Floats spectra() {
    Random random(6);
    Floats all(4 * kScaleSpectrum);
    for (float& value : all) value = random.uniform(-2, 2);
    return all;
  }
  void expect_equals_reference(const std::vector<ScaleLearnJob>& jobs) {
    constexpr std::size_t kSlots = 5;
    const Floats all = spectra();
    Floats numerators(kSlots * kScaleSpectrum, 1.5f), denominators(kSlots * kScaleBins, 1000);
    // Slot 3 has nothing yet.
    const float none = std::numeric_limits<float>::quiet_NaN();
    std::fill_n(numerators.begin() + 3 * kScaleSpectrum, kScaleSpectrum, none);
    std::fill_n(denominators.begin() + 3 * kScaleBins, kScaleBins, none);
    Array<float> got_numerators, got_denominators;
    const test::Canary above(got_numerators, numerators.size(), *queue_);
    const test::Canary below(got_denominators, denominators.size(), *queue_);
    std::ranges::copy(numerators, got_numerators.host_write().begin());
    std::ranges::copy(denominators, got_denominators.host_write().begin());
    for (const ScaleLearnJob& job : jobs) {
      const auto window = static_cast<std::size_t>(job.window);
      const auto slot = static_cast<std::size_t>(job.slot);
      reference::scale_learn(std::span(all).subspan(window * kScaleSpectrum, kScaleSpectrum),
                             job.rate,
                             std::span(numerators).subspan(slot * kScaleSpectrum, kScaleSpectrum),
                             std::span(denominators).subspan(slot * kScaleBins, kScaleBins));
    }
    const std::uint64_t launches = queue_->count().launches;
    scale_learn(*queue_, Array<float>(all), Array<ScaleLearnJob>(jobs), got_numerators,
                got_denominators);
    EXPECT_EQ(queue_->count().launches - launches, queue_->is_host() || jobs.empty() ? 0u : 1u);
    EXPECT_TRUE(above.is_intact());
    EXPECT_TRUE(below.is_intact());
    const auto equal = [](float a, float b) { return a == b || (a != a && b != b); };
    EXPECT_TRUE(std::ranges::equal(got_numerators.host_read(), numerators, equal));
    EXPECT_TRUE(std::ranges::equal(got_denominators.host_read(), denominators, equal));
  }
};

TEST_P(ScaleLearnOnDevice, AnyJobs) {
  expect_equals_reference({{.window = 0, .slot = 0, .rate = 0.025f}});
  expect_equals_reference({{.window = 2, .slot = 4, .rate = 0.3f},
                           {.window = 2, .slot = 3, .rate = 1},
                           {.window = 0, .slot = 1, .rate = 0}});
  expect_equals_reference({});
}

TEST_P(ScaleLearnOnDevice, RejectsPartsOfSlots) {
  const auto code = [&](std::size_t values, std::size_t above, std::size_t below) {
    const Array<float> all(values);
    Array<float> numerators(above), denominators(below);
    const auto call = [&] { scale_learn(*queue_, all, {}, numerators, denominators); };
    return test::error_of(call).code();
  };
  EXPECT_EQ(code(1, kScaleSpectrum, kScaleBins), ErrorCode::invalid_argument);
  EXPECT_EQ(code(kScaleSpectrum, 2 * kScaleSpectrum, kScaleBins), ErrorCode::invalid_argument);
  EXPECT_EQ(code(kScaleSpectrum, kScaleSpectrum, kScaleBins + 1), ErrorCode::invalid_argument);
}

CLTRACK_ON_EVERY_DEVICE(ScaleLearnOnDevice);

}  // namespace
}  // namespace cltrack
