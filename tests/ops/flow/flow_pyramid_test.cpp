// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/flow_pyramid.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "ops/planes/mirrored.h"
#include "support/host_pyramid.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::PaddedImage;

struct Pyramid {
  Pyramid(const ImageView& image, int levels, int largest_window)
      : shape(flow_pyramid_shape(image.width, image.height, levels, largest_window)),
        pixels(shape.bytes()) {
    reference::build_flow_pyramid(image, shape, pixels.data());
  }
  ImageView level(int i) const { return FlowPyramidView{shape, pixels.data()}.level(i); }

  FlowPyramidShape shape;
  std::vector<std::uint8_t> pixels;
};

TEST(Mirrored, DoesNotRepeatTheBorder) {
  for (const auto& [i, expected] : {std::pair{0, 0}, {3, 3}, {4, 2}, {6, 0}, {7, 1}, {-1, 1}}) {
    EXPECT_EQ(mirrored(i, 4), expected) << i;
  }
  EXPECT_EQ(mirrored(-7, 4), 1);
  EXPECT_EQ(mirrored(5, 1), 0);
}

TEST(FlowPyramid, SizesAreHalvedAndRoundedUp) {
  const FlowPyramidShape shape = flow_pyramid_shape(101, 64, 8, 9);
  ASSERT_EQ(shape.levels.top, 2) << "26 x 16, but not 13 x 8";
  EXPECT_EQ(shape.levels.levels[1].width, 51);
  EXPECT_EQ(shape.levels.levels[1].height, 32);
  EXPECT_EQ(shape.levels.levels[2].width, 26);
  EXPECT_EQ(shape.levels.levels[2].height, 16);
  EXPECT_EQ(shape.levels.levels[1].offset, 101 * 64);
  EXPECT_EQ(shape.bytes(), 101u * 64 + 51 * 32 + 26 * 16);
}

TEST(FlowPyramid, SmoothsAPointByItsWeights) {
  // 256 / 256 of the weights [1 4 6 4 1] by themselves, of which 255 remain.
  const PaddedImage point =
      PaddedImage(40, 40, 3).fill([](int x, int y) { return x == 20 && y == 21 ? 255 : 0; });
  const Pyramid pyramid(point.view(), 1, 3);
  const ImageView half = pyramid.level(1);
  const auto expected = [](int weight) { return (255 * weight + 128) / 256; };
  EXPECT_EQ(half.at(10, 10), expected(6 * 4)) << "row 21 is one below the centre of row 10";
  EXPECT_EQ(half.at(10, 11), expected(6 * 4));
  EXPECT_EQ(half.at(9, 10), expected(1 * 4));
  EXPECT_EQ(half.at(11, 11), expected(1 * 4));
  EXPECT_EQ(half.at(10, 9), 0);
  EXPECT_EQ(half.at(12, 10), 0);
}

TEST(FlowPyramid, MirrorsAtTheBorder) {
  const PaddedImage tall = PaddedImage(9, 16).fill([](int x, int) { return 10 * x; });
  const Pyramid two(tall.view(), 1, 3);
  ASSERT_EQ(two.shape.levels.top, 1);
  // (20 + 4 * 10 + 6 * 0 + 4 * 10 + 20) / 16 = 7.5, and the same down from 80.
  EXPECT_EQ(two.level(1).at(0, 0), 8);
  EXPECT_EQ(two.level(1).at(2, 7), 40);
  EXPECT_EQ(two.level(1).at(4, 3), 73);
}

TEST(FlowPyramid, KeepsACopyOfThePicture) {
  FlowPyramid kept;
  EXPECT_TRUE(kept.empty());
  PaddedImage image = test::noise_image(40, 30, 5, 5);
  test::build_host_pyramid(image.view(), 3, 9, kept);
  EXPECT_FALSE(kept.empty());
  EXPECT_EQ(kept.largest_window, 9);
  const int value = image.view().at(20, 10);
  image.fill([](int, int) { return 0; });
  EXPECT_EQ(kept.host_view().level(0).at(20, 10), value);
  EXPECT_EQ(kept.width(), 40);
}

TEST(FlowPyramid, FlatPicturesStayFlat) {
  for (const int value : {0, 1, 254, 255}) {
    const PaddedImage flat = PaddedImage(33, 47).fill([&](int, int) { return value; });
    const Pyramid pyramid(flat.view(), 3, 3);
    for (const std::uint8_t pixel : pyramid.pixels) ASSERT_EQ(pixel, value);
  }
}

}  // namespace
}  // namespace cltrack
