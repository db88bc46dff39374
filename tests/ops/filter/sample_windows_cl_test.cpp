// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ops/filter/sample_windows.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

class SampleWindowsOnDevice : public test::DeviceTest {
 protected:
  void expect_equals_reference(const PaddedImage& image, const std::vector<BoundingBox>& boxes,
                               int side) {
    SCOPED_TRACE(std::to_string(image.width()) + "x" + std::to_string(image.height()) + " " +
                 std::to_string(side));
    std::vector<WindowJob> jobs;
    for (const BoundingBox& box : boxes) jobs.push_back(window_job(box, side));
    const auto each = static_cast<std::size_t>(side * side);
    std::vector<std::uint16_t> expected(boxes.size() * each);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      reference::sample_window(image.view(), jobs[i], side,
                               std::span(expected).subspan(i * each, each));
    }
    Plane plane;
    plane.borrow(image.view());
    Array<std::uint16_t> samples;
    const test::Canary canary(samples, expected.size(), *queue_);
    const std::uint64_t launches = queue_->count().launches;
    sample_windows(*queue_, plane, Array<WindowJob>(jobs), side, samples);
    EXPECT_EQ(queue_->count().launches - launches, queue_->is_host() || boxes.empty() ? 0u : 1u);
    EXPECT_TRUE(canary.is_intact());
    EXPECT_TRUE(std::ranges::equal(samples.host_read(), expected));
  }
};

TEST_P(SampleWindowsOnDevice, AnySizeAndPlace) {
  const std::vector<BoundingBox> boxes = {{0, 0, 30, 20},
                                          {-20.3f, 4.7f, 77.7f, 31},
                                          {50, 50, 4.5f, 9},
                                          {-500, -300, 1500, 900},
                                          {-90, -80, 20, 30},
                                          {1000, 900, 64, 64},
                                          {-3000, -2000, 7000, 5000}};
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 90}, {97, 5}, {211, 160}}) {
    for (const int side : {7, 24, 33, 128}) {
      expect_equals_reference(noise_image(width, height, 9, 3), boxes, side);
    }
  }
}

TEST_P(SampleWindowsOnDevice, NoWindows) {
  expect_equals_reference(noise_image(20, 20, 9), {}, 32);
}

TEST_P(SampleWindowsOnDevice, RejectsWindowsOfNoOrTooManySamples) {
  Plane plane;
  Array<std::uint16_t> samples;
  for (const int side : {-1, 0, kMostSampleSide + 1}) {
    EXPECT_EQ(test::error_of([&] { sample_windows(*queue_, plane, {}, side, samples); }).code(),
              ErrorCode::invalid_argument);
  }
}

CLTRACK_ON_EVERY_DEVICE(SampleWindowsOnDevice);

}  // namespace
}  // namespace cltrack
