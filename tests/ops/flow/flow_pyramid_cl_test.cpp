// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "ops/flow/flow_pyramid.h"
#include "ops/planes/mirrored.h"
#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

class FlowPyramidOnDevice : public test::DeviceTest {
 protected:
  static constexpr int kLevels = 5;

  void expect_equals_host(const ImageView& image, int largest_window = 9) {
    SCOPED_TRACE(std::to_string(image.width) + "x" + std::to_string(image.height));
    const FlowPyramidShape shape =
        flow_pyramid_shape(image.width, image.height, kLevels, largest_window);
    std::vector<std::uint8_t> expected(shape.bytes());
    reference::build_flow_pyramid(image, shape, expected.data());
    const FlowPyramidView plain = {shape, expected.data()};
    Plane plane;
    plane.borrow(image);
    FlowPyramid result;
    const std::size_t size =
        queue_->is_host()
            ? padded_flow_pyramid_shape(image.width, image.height, kLevels, largest_window).bytes()
            : shape.bytes();
    const test::Canary canary(result.pixels, size, *queue_);
    build_flow_pyramid(*queue_, plane, kLevels, largest_window, result);
    EXPECT_TRUE(canary.is_intact());
    ASSERT_EQ(result.pixels.size(), size);
    EXPECT_EQ(result.largest_window, largest_window);
    ASSERT_EQ(result.levels.top, shape.levels.top);
    for (int i = 0; i <= shape.levels.top; ++i) {
      expect_equal(result.host_view().level(i), plain.level(i));
    }
  }

  // The padding as well, where there is any.
  static void expect_equal(const PaddedView& level, const ImageView& expected) {
    ASSERT_EQ(level.width, expected.width);
    ASSERT_EQ(level.height, expected.height);
    for (int y = -level.padding; y < level.height + level.padding; ++y) {
      const std::uint8_t* row = expected.row(mirrored(y, expected.height));
      for (int x = -level.padding; x < level.width + level.padding; ++x) {
        ASSERT_EQ(level.at(x, y), row[mirrored(x, expected.width)]) << x << ", " << y;
      }
    }
  }
};

TEST_P(FlowPyramidOnDevice, OddSizes) {
  for (const auto& [width, height] : {std::pair{1, 1},
                                      {2, 1},
                                      {1, 9},
                                      {3, 2},
                                      {12, 9},
                                      {41, 37},
                                      {64, 64},
                                      {127, 131},
                                      {255, 97},
                                      {258, 99},
                                      {641, 479}}) {
    expect_equals_host(noise_image(width, height, 7).view());
    expect_equals_host(noise_image(width, height, 8).view(), 3);
  }
}

TEST_P(FlowPyramidOnDevice, PaddedStridesAndSubRectangles) {
  const PaddedImage image = noise_image(650, 250, 5, 3);
  const ImageView whole = image.view();
  for (const auto& [x, y, width, height] :
       {std::array{0, 0, 640, 240}, {1, 0, 149, 90}, {3, 5, 77, 41}, {7, 9, 513, 241}}) {
    expect_equals_host({whole.row(y) + x, width, height, whole.stride});
  }
}

TEST_P(FlowPyramidOnDevice, Extremes) {
  expect_equals_host(PaddedImage(320, 240).fill([](int, int) { return 255; }).view());
  expect_equals_host(PaddedImage(321, 243).fill([](int x, int) { return x & 1 ? 255 : 0; }).view());
  expect_equals_host(PaddedImage(1920, 1080).fill([](int x, int y) { return x ^ y; }).view());
}

TEST_P(FlowPyramidOnDevice, OnSeveralThreads) {
  if (!queue_->is_host()) GTEST_SKIP() << "only the host has threads";
  for (const int threads : {2, 3, 7}) {
    queue_ = device_->make_queue(threads);
    expect_equals_host(noise_image(641, 479, 7).view());
    expect_equals_host(noise_image(1001, 333, 8, 3).view(), 31);
  }
}

TEST_P(FlowPyramidOnDevice, RejectsWhatCannotBeBuilt) {
  const PaddedImage image = noise_image(40, 30, 1);  // has to outlive the plane that borrows it
  Plane plane;
  FlowPyramid result;
  EXPECT_THROW(build_flow_pyramid(*queue_, plane, 5, 9, result), Error);
  plane.borrow(image.view());
  EXPECT_THROW(build_flow_pyramid(*queue_, plane, 9, 9, result), Error);
  EXPECT_THROW(build_flow_pyramid(*queue_, plane, -1, 9, result), Error);
  EXPECT_THROW(build_flow_pyramid(*queue_, plane, 5, 2, result), Error);
  build_flow_pyramid(*queue_, plane, 8, 9, result);
  EXPECT_EQ(result.levels.top, 1);
}

CLTRACK_ON_EVERY_DEVICE(FlowPyramidOnDevice);

}  // namespace
}  // namespace cltrack
