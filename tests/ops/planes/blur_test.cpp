// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/planes/blur.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "support/check_op.h"
#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

// Row by row, without padding.
std::vector<std::uint8_t> blurred(const ImageView& image) {
  std::vector<std::uint8_t> result(static_cast<std::size_t>(image.width * image.height));
  reference::blur(image, 0, image.height, result.data());
  return result;
}

int weight(int distance) {
  return std::abs(distance) <= kBlurRadius ? kBlurWeights[std::abs(distance)] : 0;
}

TEST(BlurWeights, AddUpAndHaveTheRightSpread) {
  int sum = 0, spread = 0;
  for (int d = -kBlurRadius; d <= kBlurRadius; ++d) {
    sum += weight(d);
    spread += weight(d) * d * d;
  }
  EXPECT_EQ(sum, 256);
  EXPECT_NEAR(spread / 256.0, 4.0, 0.15);  // sigma 2
}

TEST(Blur, LeavesAFlatPictureAlone) {
  for (const std::uint8_t level : {0, 1, 127, 255}) {
    const PaddedImage flat = PaddedImage(17, 9, 3).fill([&](int, int) { return level; });
    EXPECT_EQ(blurred(flat.view()), std::vector<std::uint8_t>(17 * 9, level));
  }
}

TEST(Blur, SpreadsAPointByTheWeights) {
  const PaddedImage point =
      PaddedImage(31, 31).fill([](int x, int y) { return x == 15 && y == 15 ? 255 : 0; });
  const auto result = blurred(point.view());
  for (int y = 0; y < 31; ++y) {
    for (int x = 0; x < 31; ++x) {
      ASSERT_EQ(result[static_cast<std::size_t>(31 * y + x)],
                (255 * weight(x - 15) * weight(y - 15) + 0x8000) >> 16);
    }
  }
}

// The definition, pixel by pixel: what a kernel has to give as well.
TEST(Blur, EqualsItsDefinitionOnOddSizesAndStrides) {
  for (const auto& [width, height, padding] :
       {std::array{1, 1, 0}, {1, 40, 5}, {40, 1, 1}, {3, 5, 7}, {37, 23, 0}, {64, 33, 13}}) {
    const PaddedImage image = noise_image(width, height, 7, padding);
    const ImageView view = image.view();
    const auto result = blurred(view);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        int sum = 0;
        for (int j = -kBlurRadius; j <= kBlurRadius; ++j) {
          for (int i = -kBlurRadius; i <= kBlurRadius; ++i) {
            sum += weight(i) * weight(j) *
                   view.at(std::clamp(x + i, 0, width - 1), std::clamp(y + j, 0, height - 1));
          }
        }
        ASSERT_EQ(result[static_cast<std::size_t>(y * width + x)], (sum + 0x8000) >> 16)
            << x << "," << y << " of " << width;
      }
    }
  }
}

class BlurOnDevice : public test::DeviceTest {
 protected:
  void check(const ImageView& image) {
    Plane plane;
    plane.borrow(image);
    check(plane, image);
  }

  void check(const Plane& plane, const ImageView& image) {
    SCOPED_TRACE(std::to_string(image.width) + "x" + std::to_string(image.height));
    const auto op = [&](auto& pixels) {
      Plane result;
      result.pixels = std::move(pixels);
      blur(*queue_, plane, result);
      EXPECT_EQ(result.width(), image.width);
      EXPECT_EQ(result.height(), image.height);
      pixels = std::move(result.pixels);
    };
    test::check_op(*queue_, 1, op, test::Output{blurred(image)});
  }
};

TEST_P(BlurOnDevice, OddSizes) {
  for (const auto& [width, height] : {std::pair{1, 1},
                                      {1, 40},
                                      {40, 1},
                                      {3, 5},
                                      {5, 7},
                                      {15, 9},
                                      {16, 9},
                                      {17, 9},
                                      {31, 33},
                                      {37, 23},
                                      {63, 13},
                                      {64, 12},
                                      {65, 96},
                                      {70, 97},
                                      {76, 95},
                                      {129, 32},
                                      {205, 193}}) {
    check(noise_image(width, height, 7).view());
  }
}

TEST_P(BlurOnDevice, PaddedStrides) {
  test::check_padded_strides(167, 41, [&](const auto&... picture) { check(picture...); });
}

TEST_P(BlurOnDevice, SubRectangles) {
  test::check_sub_rectangles(250, 90, [&](const auto&... picture) { check(picture...); });
}

// Black and white only: the largest sums.
TEST_P(BlurOnDevice, Extremes) {
  for (const int level : {0, 255}) {
    check(PaddedImage(320, 240).fill([&](int, int) { return level; }).view());
  }
  for (const int side : {1, 6, 30}) {
    check(PaddedImage(320, 240, 3)
              .fill([&](int x, int y) { return (x / side + y / side) & 1 ? 255 : 0; })
              .view());
  }
}

TEST_P(BlurOnDevice, OnSeveralThreads) {
  if (!queue_->is_host()) GTEST_SKIP() << "only the host has threads";
  for (const int threads : {2, 3, 7}) {
    queue_ = device_->make_queue(threads);
    for (const auto& [width, height] : {std::pair{70, 191}, {70, 192}, {9, 700}, {333, 401}}) {
      check(noise_image(width, height, 9, 5).view());
    }
  }
}

CLTRACK_ON_EVERY_DEVICE(BlurOnDevice);

}  // namespace
}  // namespace cltrack
