// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <array>

#include "ops/planes/blur.h"
#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

class BlurOnDevice : public test::DeviceTest {
 protected:
  void expect_equals_host(const ImageView& image) {
    Plane plane;
    plane.borrow(image);
    expect_equals_host(plane, image);
  }

  void expect_equals_host(const Plane& plane, const ImageView& image) {
    SCOPED_TRACE(std::to_string(image.width) + "x" + std::to_string(image.height));
    Image expected;
    expected.resize(image.width, image.height);
    reference::blur(image, 0, image.height, expected.row(0));
    const auto bytes = static_cast<std::size_t>(image.width * image.height);
    Plane result;
    const test::Canary canary(result.pixels, bytes, *queue_);
    blur(*queue_, plane, result);
    ASSERT_EQ(result.width(), image.width);
    ASSERT_EQ(result.height(), image.height);
    EXPECT_TRUE(canary.is_intact());
    const auto got = result.pixels.host_read();
    ASSERT_EQ(got.size(), bytes);
    EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.row(0)));
  }
};

TEST_P(BlurOnDevice, OddSizes) {
  for (const auto& [width, height] : {std::pair{1, 1},
                                      {1, 40},
                                      {40, 1},
                                      {5, 7},
                                      {31, 33},
                                      {63, 13},
                                      {64, 12},
                                      {65, 96},
                                      {70, 97},
                                      {76, 95},
                                      {129, 32},
                                      {205, 193}}) {
    expect_equals_host(noise_image(width, height, 7).view());
  }
}

TEST_P(BlurOnDevice, PaddedStrides) {
  for (const int padding : {1, 3, 64, 100}) {
    expect_equals_host(noise_image(167, 41, 3, padding).view());
  }
}

TEST_P(BlurOnDevice, SubRectangles) {
  const PaddedImage image = noise_image(250, 90, 5, 3);
  for (const auto& [x, y, width, height] :
       {std::array{1, 0, 249, 90}, {3, 5, 177, 41}, {249, 89, 1, 1}, {0, 1, 250, 88}}) {
    const ImageView whole = image.view();
    const ImageView part = {whole.row(y) + x, width, height, whole.stride};
    expect_equals_host(part);
    Plane plane;
    plane.borrow(whole);
    plane.layout = {width, height, static_cast<std::int32_t>(whole.stride),
                    static_cast<std::int32_t>(y * whole.stride + x)};
    expect_equals_host(plane, part);
  }
}

TEST_P(BlurOnDevice, Extremes) {
  expect_equals_host(PaddedImage(320, 240).fill([](int, int) { return 255; }).view());
  expect_equals_host(PaddedImage(320, 240).fill([](int, int) { return 0; }).view());
  expect_equals_host(
      PaddedImage(320, 240).fill([](int x, int y) { return (x ^ y) & 1 ? 255 : 0; }).view());
  expect_equals_host(PaddedImage(320, 240)
                         .fill([](int x, int y) { return (x / 6 + y / 6) & 1 ? 255 : 0; })
                         .view());
}

TEST_P(BlurOnDevice, OnSeveralThreads) {
  if (!queue_->is_host()) GTEST_SKIP() << "only the host has threads";
  for (const int threads : {2, 3, 7}) {
    queue_ = device_->make_queue(threads);
    for (const auto& [width, height] : {std::pair{70, 191}, {70, 192}, {9, 700}, {333, 401}}) {
      expect_equals_host(noise_image(width, height, 9, 5).view());
    }
  }
}

CLTRACK_ON_EVERY_DEVICE(BlurOnDevice);

}  // namespace
}  // namespace cltrack
