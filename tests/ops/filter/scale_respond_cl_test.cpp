// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/random.h"
#include "ops/filter/scale_filter.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using Floats = std::vector<float>;

class ScaleRespondOnDevice : public test::DeviceTest {
 protected:
  static Floats random_floats(std::size_t count, float least, float most) {
    Random random(count);
    Floats floats(count);
    for (float& value : floats) value = random.uniform(least, most);
    return floats;
  }
  void expect_equals_reference(const std::vector<ScaleRespondJob>& jobs) {
    constexpr std::size_t kWindows = 4, kSlots = 3;
    const Floats spectra = random_floats(kWindows * kScaleSpectrum, -2, 2);
    const Floats numerators = random_floats(kSlots * kScaleSpectrum, -2, 2);
    const Floats denominators = random_floats(kSlots * kScaleBins, 0, 1000);
    Floats expected(jobs.size() * kScales);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const auto window = static_cast<std::size_t>(jobs[i].window);
      const auto slot = static_cast<std::size_t>(jobs[i].slot);
      reference::scale_respond(std::span(spectra).subspan(window * kScaleSpectrum, kScaleSpectrum),
                               std::span(numerators).subspan(slot * kScaleSpectrum, kScaleSpectrum),
                               std::span(denominators).subspan(slot * kScaleBins, kScaleBins),
                               std::span(expected).subspan(i * kScales, kScales));
    }
    Array<float> responses;
    const test::Canary canary(responses, expected.size(), *queue_);
    const std::uint64_t launches = queue_->count().launches;
    scale_respond(*queue_, Array<float>(spectra), Array<ScaleRespondJob>(jobs),
                  Array<float>(numerators), Array<float>(denominators), responses);
    EXPECT_EQ(queue_->count().launches - launches, queue_->is_host() || jobs.empty() ? 0u : 1u);
    EXPECT_TRUE(canary.is_intact());
    EXPECT_TRUE(std::ranges::equal(responses.host_read(), expected));
  }
};

TEST_P(ScaleRespondOnDevice, AnyJobs) {
  expect_equals_reference({{.window = 0, .slot = 0}});
  expect_equals_reference({{.window = 3, .slot = 1},
                           {.window = 0, .slot = 2},
                           {.window = 2, .slot = 1},
                           {.window = 3, .slot = 0},
                           {.window = 3, .slot = 1}});
  expect_equals_reference({});
}

TEST_P(ScaleRespondOnDevice, WorksInSmallGroups) {
  allow_small_groups_only();
  expect_equals_reference({{.window = 1, .slot = 2}, {.window = 2, .slot = 0}});
}

TEST_P(ScaleRespondOnDevice, RejectsPartsOfSlots) {
  Array<float> responses;
  const auto code = [&](std::size_t values, std::size_t above, std::size_t below) {
    const Array<float> all(values), numerators(above), denominators(below);
    return test::error_of(
               [&] { scale_respond(*queue_, all, {}, numerators, denominators, responses); })
        .code();
  };
  EXPECT_EQ(code(1, kScaleSpectrum, kScaleBins), ErrorCode::invalid_argument);
  EXPECT_EQ(code(kScaleSpectrum, 2 * kScaleSpectrum, kScaleBins), ErrorCode::invalid_argument);
  EXPECT_EQ(code(kScaleSpectrum, kScaleSpectrum, kScaleBins + 1), ErrorCode::invalid_argument);
}

CLTRACK_ON_EVERY_DEVICE(ScaleRespondOnDevice);

}  // namespace
}  // namespace cltrack
