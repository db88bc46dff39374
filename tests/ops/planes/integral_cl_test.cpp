// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include "ops/planes/integral.h"
#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

class IntegralOnDevice : public test::DeviceTest {
 protected:
  void expect_equals_host(const ImageView& image) {
    SCOPED_TRACE(std::to_string(image.width) + "x" + std::to_string(image.height));
    Integrals expected;
    reference::integrate(image, expected);
    Plane plane;
    plane.borrow(image);
    IntegralArrays result;
    const test::Canary sums(result.sums, expected.sums.size(), *queue_);
    const test::Canary squares(result.squares, expected.squares.size(), *queue_);
    integrate(*queue_, plane, result);
    EXPECT_EQ(result.width, image.width);
    EXPECT_EQ(result.height, image.height);
    EXPECT_TRUE(sums.is_intact());
    EXPECT_TRUE(squares.is_intact());
    const auto got_sums = result.sums.host_read();
    const auto got_squares = result.squares.host_read();
    ASSERT_EQ(got_sums.size(), expected.sums.size());
    EXPECT_TRUE(std::equal(got_sums.begin(), got_sums.end(), expected.sums.begin()));
    EXPECT_TRUE(std::equal(got_squares.begin(), got_squares.end(), expected.squares.begin()));
  }
};

TEST_P(IntegralOnDevice, OddSizes) {
  for (const auto& [width, height] : {std::pair{1, 1},
                                      {1, 7},
                                      {7, 1},
                                      {63, 2},
                                      {64, 64},
                                      {65, 9},
                                      {127, 31},
                                      {257, 33},
                                      {641, 17},
                                      {13, 479}}) {
    expect_equals_host(noise_image(width, height, 7).view());
  }
}

TEST_P(IntegralOnDevice, PaddedStrides) {
  for (const int padding : {1, 3, 64, 100}) {
    expect_equals_host(noise_image(67, 41, 3, padding).view());
  }
}

TEST_P(IntegralOnDevice, SubRectangles) {
  const PaddedImage image = noise_image(150, 90, 5, 3);
  for (const auto& [x, y, width, height] :
       {std::array{1, 0, 149, 90}, {3, 5, 77, 41}, {149, 89, 1, 1}, {0, 1, 150, 88}}) {
    const ImageView whole = image.view();
    expect_equals_host({whole.row(y) + x, width, height, whole.stride});
  }
}

TEST_P(IntegralOnDevice, Extremes) {
  // Sums of squares beyond 32 bits, over the whole of a large bright frame.
  expect_equals_host(PaddedImage(1920, 1080).fill([](int, int) { return 255; }).view());
  expect_equals_host(PaddedImage(320, 240).fill([](int, int) { return 0; }).view());
  expect_equals_host(PaddedImage(320, 240).fill([](int x, int) { return x & 1 ? 255 : 0; }).view());
  expect_equals_host(PaddedImage(65535, 2).fill([](int, int) { return 255; }).view());
}

TEST_P(IntegralOnDevice, OffsetInsideTheBuffer) {
  const PaddedImage image = noise_image(100, 50, 11);
  Plane plane;
  plane.borrow(image.view());
  plane.layout.offset = 7 * 100 + 9;
  plane.layout.width = 31;
  plane.layout.height = 29;
  IntegralArrays result;
  integrate(*queue_, plane, result);
  Integrals expected;
  reference::integrate({image.view().row(7) + 9, 31, 29, 100}, expected);
  const auto sums = result.sums.host_read();
  EXPECT_TRUE(std::equal(sums.begin(), sums.end(), expected.sums.begin(), expected.sums.end()));
}

TEST_P(IntegralOnDevice, WaitsOnceAndCopiesNothingInTheHostsOwnMemory) {
  const PaddedImage image = noise_image(640, 480, 2);
  Plane plane;
  IntegralArrays result;
  for (int frame = 0; frame < 3; ++frame) {
    const TransferCount before = queue_->count();
    plane.borrow(image.view());
    integrate(*queue_, plane, result);
    result.sums.fetch();
    result.squares.fetch();
    queue_->finish();
    result.sums.host_read();
    result.squares.host_read();
    plane.release();
    const TransferCount& after = queue_->count();
    if (device_->is_host()) {
      EXPECT_EQ(after, TransferCount{});
      continue;
    }
    const bool one_band = device_->is_cpu() && device_->info().units == 1;
    EXPECT_EQ(after.launches - before.launches, one_band ? 1u : 2u);
    EXPECT_EQ(after.waits - before.waits, 1u);
    const bool copies = !device_->is_zero_copy();
    EXPECT_EQ(after.bytes_up - before.bytes_up, copies ? 640u * 480 : 0);
    EXPECT_EQ(after.bytes_down - before.bytes_down, copies ? 641u * 481 * (4 + 8) : 0);
  }
}

CLTRACK_ON_EVERY_DEVICE(IntegralOnDevice);

}  // namespace
}  // namespace cltrack
