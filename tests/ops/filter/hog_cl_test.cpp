// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/random.h"
#include "ops/filter/hog.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

class HogOnDevice : public test::DeviceTest {
 protected:
  void expect_equals_reference(std::size_t windows, int cells, std::uint32_t range) {
    SCOPED_TRACE(std::to_string(windows) + " of " + std::to_string(cells));
    Random random(windows + range);
    const auto all = static_cast<std::size_t>(cells * cells);
    std::vector<std::uint16_t> samples(windows * all * 16);
    for (std::uint16_t& sample : samples) sample = static_cast<std::uint16_t>(random.below(range));
    std::vector<float> expected(windows * all * kHogChannels);
    for (std::size_t i = 0; i < windows; ++i) {
      reference::hog(std::span(samples).subspan(i * all * 16, all * 16), cells,
                     std::span(expected).subspan(i * all * kHogChannels, all * kHogChannels));
    }
    HogScratch scratch;
    Array<float> features;
    const test::Canary canary(features, expected.size(), *queue_);
    const std::uint64_t launches = queue_->count().launches;
    hog(*queue_, Array<std::uint16_t>(samples), cells, scratch, features);
    EXPECT_EQ(queue_->count().launches - launches, queue_->is_host() || windows == 0 ? 0u : 2u);
    EXPECT_TRUE(canary.is_intact());
    EXPECT_TRUE(std::ranges::equal(features.host_read(), expected));
  }
};

TEST_P(HogOnDevice, AnySize) {
  for (const int cells : {1, 2, 3, 6, 9, 32}) {
    for (const std::uint32_t range : {16321u, 200u, 1u}) expect_equals_reference(3, cells, range);
  }
}

TEST_P(HogOnDevice, ManyWindowsAndNone) {
  expect_equals_reference(33, 6, 16321);
  expect_equals_reference(0, 6, 16321);
}

TEST_P(HogOnDevice, RejectsPartsOfWindows) {
  HogScratch scratch;
  Array<float> features;
  for (const int cells : {0, 2}) {
    const auto call = [&] {
      hog(*queue_, Array<std::uint16_t>(std::size_t{63}), cells, scratch, features);
    };
    EXPECT_EQ(test::error_of(call).code(), ErrorCode::invalid_argument);
  }
}

CLTRACK_ON_EVERY_DEVICE(HogOnDevice);

}  // namespace
}  // namespace cltrack
