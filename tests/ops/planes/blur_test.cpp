// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/planes/blur.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

using Body = decltype(&reference::blur);

Image blurred_by(Body body, const ImageView& image) {
  Image result;
  result.resize(image.width, image.height);
  body(image, 0, image.height, result.row(0));
  return result;
}

class Blur : public testing::TestWithParam<Body> {
 protected:
  static Image blurred(const ImageView& image) { return blurred_by(GetParam(), image); }
};

INSTANTIATE_TEST_SUITE_P(Bodies, Blur, testing::Values(reference::blur, vector::blur),
                         [](const auto& body) { return body.index == 0 ? "reference" : "vector"; });

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

TEST_P(Blur, LeavesAFlatPictureAlone) {
  for (const int level : {0, 1, 127, 255}) {
    const PaddedImage flat = PaddedImage(17, 9, 3).fill([&](int, int) { return level; });
    const Image result = blurred(flat.view());
    for (int y = 0; y < 9; ++y) {
      for (int x = 0; x < 17; ++x) ASSERT_EQ(result.row(y)[x], level);
    }
  }
}

TEST_P(Blur, SpreadsAPointByTheWeights) {
  const PaddedImage point =
      PaddedImage(31, 31).fill([](int x, int y) { return x == 15 && y == 15 ? 255 : 0; });
  const Image result = blurred(point.view());
  for (int y = 0; y < 31; ++y) {
    for (int x = 0; x < 31; ++x) {
      ASSERT_EQ(result.row(y)[x], (255 * weight(x - 15) * weight(y - 15) + 0x8000) >> 16);
    }
  }
}

// Black and white only: the largest sums.
TEST_P(Blur, HoldsTheLargestSums) {
  const PaddedImage bars =
      PaddedImage(70, 40, 3).fill([](int x, int y) { return x < 30 || y > 20 ? 255 : 0; });
  const Image expected = blurred_by(reference::blur, bars.view());
  const Image result = blurred(bars.view());
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 70; ++x) ASSERT_EQ(result.row(y)[x], expected.row(y)[x]);
  }
}

// The definition, pixel by pixel: what a kernel has to give as well.
TEST_P(Blur, EqualsItsDefinitionOnOddSizesAndStrides) {
  for (const auto& [width, height, padding] : {std::array{1, 1, 0},
                                               {1, 40, 5},
                                               {40, 1, 1},
                                               {3, 5, 7},
                                               {37, 23, 0},
                                               {64, 33, 13},
                                               {15, 9, 0},
                                               {16, 9, 1},
                                               {17, 9, 2}}) {
    const PaddedImage image = noise_image(width, height, 7, padding);
    const ImageView view = image.view();
    const Image result = blurred(view);
    ASSERT_EQ(result.width(), width);
    ASSERT_EQ(result.height(), height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        int sum = 0;
        for (int j = -kBlurRadius; j <= kBlurRadius; ++j) {
          for (int i = -kBlurRadius; i <= kBlurRadius; ++i) {
            sum += weight(i) * weight(j) *
                   view.at(std::clamp(x + i, 0, width - 1), std::clamp(y + j, 0, height - 1));
          }
        }
        ASSERT_EQ(result.row(y)[x], (sum + 0x8000) >> 16) << x << "," << y << " of " << width;
      }
    }
  }
}

}  // namespace
}  // namespace cltrack
