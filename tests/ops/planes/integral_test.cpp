// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/planes/integral.h"

#include <gtest/gtest.h>

#include <utility>

#include "support/check_op.h"
#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

std::uint64_t brute_force_variance(const ImageView& image, int x, int y, int width, int height) {
  std::uint64_t sum = 0, squares = 0;
  for (int j = y; j < y + height; ++j) {
    for (int i = x; i < x + width; ++i) {
      sum += image.at(i, j);
      squares += std::uint64_t{image.at(i, j)} * image.at(i, j);
    }
  }
  return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) * squares -
         sum * sum;
}

TEST(Integral, HandComputed) {
  const PaddedImage image = PaddedImage(3, 2).fill([](int x, int y) { return 1 + x + 3 * y; });
  Integrals integrals;
  reference::integrate(image.view(), integrals);
  EXPECT_EQ(integrals.sums, (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 1, 3, 6, 0, 5, 12, 21}));
  EXPECT_EQ(integrals.squares,
            (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 1, 5, 14, 0, 17, 46, 91}));
  EXPECT_EQ(scaled_variance(integrals, 0, 0, 3, 2), 6u * 91 - 21 * 21);
}

TEST(Integral, VarianceEqualsBruteForceOnOddSizesAndStrides) {
  const PaddedImage image = noise_image(67, 41, 3, 9);
  Integrals integrals;
  reference::integrate(image.view(), integrals);
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    const int x = static_cast<int>(random.below(67));
    const int y = static_cast<int>(random.below(41));
    const int width = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(67 - x)));
    const int height = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(41 - y)));
    ASSERT_EQ(scaled_variance(integrals, x, y, width, height),
              brute_force_variance(image.view(), x, y, width, height));
  }
}

TEST(Integral, LargeBrightBoxesDoNotOverflow) {
  // Half black, half white: the largest variance there is, and squares far beyond 32 bits.
  const PaddedImage image =
      PaddedImage(1920, 1080).fill([](int x, int) { return x < 960 ? 0 : 255; });
  Integrals integrals;
  reference::integrate(image.view(), integrals);
  const std::uint64_t pixels = 1920 * 1080;
  EXPECT_EQ(scaled_variance(integrals, 0, 0, 1920, 1080), pixels * pixels / 4 * 255 * 255);
  EXPECT_EQ(scaled_variance(integrals, 1000, 100, 800, 900), 0u);
  // As many pixels as the squares of have a sum of 32 bits, one more, and others.
  ASSERT_EQ(kExactSquares, 22017 * 3);
  for (const auto& [width, height] :
       {std::pair{22017, 3}, {kExactSquares, 1}, {2, 33026}, {2, 40000}, {311, 409}}) {
    const PaddedImage bright =
        PaddedImage(width, height).fill([](int x, int y) { return x + y == 0 ? 0 : 255; });
    reference::integrate(bright.view(), integrals);
    EXPECT_EQ(scaled_variance(integrals, 0, 0, width, height),
              brute_force_variance(bright.view(), 0, 0, width, height))
        << width << "x" << height;
  }
}

TEST(Integral, IsReusedForAnotherSize) {
  Integrals integrals;
  reference::integrate(noise_image(50, 50, 1).view(), integrals);
  const PaddedImage smaller = noise_image(11, 13, 2);
  reference::integrate(smaller.view(), integrals);
  EXPECT_EQ(integrals.width, 11);
  EXPECT_EQ(scaled_variance(integrals, 2, 3, 9, 10),
            brute_force_variance(smaller.view(), 2, 3, 9, 10));
}

class IntegralOnDevice : public test::DeviceTest {
 protected:
  void check(const ImageView& image) {
    Plane plane;
    plane.borrow(image);
    check(plane, image);
  }

  void check(const Plane& plane, const ImageView& image) {
    SCOPED_TRACE(std::to_string(image.width) + "x" + std::to_string(image.height));
    Integrals expected;
    reference::integrate(image, expected);
    const auto op = [&](auto& sums, auto& squares) {
      IntegralArrays result;
      result.sums = std::move(sums);
      result.squares = std::move(squares);
      integrate(*queue_, plane, result);
      EXPECT_EQ(result.width, image.width);
      EXPECT_EQ(result.height, image.height);
      sums = std::move(result.sums);
      squares = std::move(result.squares);
    };
    test::check_op(*queue_, 2, op, test::Output{expected.sums}, test::Output{expected.squares});
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
    check(noise_image(width, height, 7).view());
  }
}

TEST_P(IntegralOnDevice, PaddedStrides) {
  test::check_padded_strides(67, 41, [&](const auto&... picture) { check(picture...); });
}

TEST_P(IntegralOnDevice, SubRectangles) {
  test::check_sub_rectangles(150, 90, [&](const auto&... picture) { check(picture...); });
}

TEST_P(IntegralOnDevice, Extremes) {
  // Sums of squares beyond 32 bits.
  check(PaddedImage(1920, 1080).fill([](int, int) { return 255; }).view());
  check(PaddedImage(320, 240).fill([](int, int) { return 0; }).view());
  check(PaddedImage(320, 240).fill([](int x, int) { return x & 1 ? 255 : 0; }).view());
  check(PaddedImage(65535, 2).fill([](int, int) { return 255; }).view());
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
    EXPECT_EQ(after.launches - before.launches, 2u);
    EXPECT_EQ(after.waits - before.waits, 1u);
    const bool copies = !device_->is_zero_copy();
    EXPECT_EQ(after.bytes_up - before.bytes_up, copies ? 640u * 480 : 0);
    EXPECT_EQ(after.bytes_down - before.bytes_down, copies ? 641u * 481 * (4 + 4) : 0);
  }
}

CLTRACK_ON_EVERY_DEVICE(IntegralOnDevice);

}  // namespace
}  // namespace cltrack
