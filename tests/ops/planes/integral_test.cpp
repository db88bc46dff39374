// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/planes/integral.h"

#include <gtest/gtest.h>

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
            (std::vector<std::uint64_t>{0, 0, 0, 0, 0, 1, 5, 14, 0, 17, 46, 91}));
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

}  // namespace
}  // namespace cltrack
