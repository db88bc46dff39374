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

class ScaleSpectraOnDevice : public test::DeviceTest {
 protected:
  void expect_equals_reference(std::size_t targets, float range) {
    SCOPED_TRACE(std::to_string(targets) + " within " + std::to_string(range));
    Random random(targets);
    std::vector<float> features(targets * kScaleFeatures);
    for (float& feature : features) feature = random.uniform(-range, range);
    std::vector<float> expected(targets * kScaleSpectrum);
    for (std::size_t i = 0; i < targets; ++i) {
      reference::scale_spectra(std::span(features).subspan(i * kScaleFeatures, kScaleFeatures),
                               std::span(expected).subspan(i * kScaleSpectrum, kScaleSpectrum));
    }
    Array<float> spectra;
    const test::Canary canary(spectra, expected.size(), *queue_);
    const std::uint64_t launches = queue_->count().launches;
    scale_spectra(*queue_, Array<float>(features), spectra);
    EXPECT_EQ(queue_->count().launches - launches, queue_->is_host() || targets == 0 ? 0u : 1u);
    EXPECT_TRUE(canary.is_intact());
    EXPECT_TRUE(std::ranges::equal(spectra.host_read(), expected));
  }
};

TEST_P(ScaleSpectraOnDevice, AnyNumberOfTargets) {
  for (const std::size_t targets : {1u, 2u, 7u}) expect_equals_reference(targets, 0.4f);
  expect_equals_reference(1, 1e6f);
  expect_equals_reference(0, 1);
}

TEST_P(ScaleSpectraOnDevice, RejectsPartsOfTargets) {
  Array<float> spectra;
  const Array<float> features(kScaleFeatures + kScaleValues);
  EXPECT_EQ(test::error_of([&] { scale_spectra(*queue_, features, spectra); }).code(),
            ErrorCode::invalid_argument);
}

CLTRACK_ON_EVERY_DEVICE(ScaleSpectraOnDevice);

}  // namespace
}  // namespace cltrack
