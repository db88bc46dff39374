// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/flow_pyramid.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "ops/planes/mirrored.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::expect_rejected;
using test::noise_image;
using test::PaddedImage;

// A pyramid of the plain body.
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

TEST(FlowPyramid, FlatPicturesStayFlat) {
  for (const int value : {0, 1, 254, 255}) {
    const PaddedImage flat = PaddedImage(33, 47).fill([&](int, int) { return value; });
    const Pyramid pyramid(flat.view(), 3, 3);
    for (const std::uint8_t pixel : pyramid.pixels) ASSERT_EQ(pixel, value);
  }
}

class FlowPyramidOnDevice : public test::DeviceTest {
 protected:
  static constexpr int kLevels = 5;

  void check(const ImageView& image, int largest_window = 9) {
    SCOPED_TRACE(std::to_string(image.width) + "x" + std::to_string(image.height));
    const Pyramid expected(image, kLevels, largest_window);
    Plane plane;
    plane.borrow(image);
    FlowPyramid result;
    const std::size_t size =
        queue_->is_host()
            ? padded_flow_pyramid_shape(image.width, image.height, kLevels, largest_window).bytes()
            : expected.shape.bytes();
    const test::Canary canary(result.pixels, size, *queue_);
    build_flow_pyramid(*queue_, plane, kLevels, largest_window, result);
    EXPECT_TRUE(canary.is_intact());
    ASSERT_EQ(result.pixels.size(), size);
    EXPECT_EQ(result.largest_window, largest_window);
    ASSERT_EQ(result.levels.top, expected.shape.levels.top);
    for (int i = 0; i <= result.levels.top; ++i) {
      expect_equal(result.host_view().level(i), expected.level(i));
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
    check(noise_image(width, height, 7).view());
    check(noise_image(width, height, 8).view(), 3);
  }
}

TEST_P(FlowPyramidOnDevice, PaddedStridesAndSubRectangles) {
  const PaddedImage image = noise_image(650, 250, 5, 3);
  for (const auto& [x, y, width, height] :
       {std::array{0, 0, 640, 240}, {1, 0, 149, 90}, {3, 5, 77, 41}, {7, 9, 513, 241}}) {
    check(image.part(x, y, width, height));
  }
}

TEST_P(FlowPyramidOnDevice, Extremes) {
  check(PaddedImage(320, 240).fill([](int, int) { return 255; }).view());
  check(PaddedImage(321, 243).fill([](int x, int) { return x & 1 ? 255 : 0; }).view());
  check(PaddedImage(1920, 1080).fill([](int x, int y) { return x ^ y; }).view());
}

TEST_P(FlowPyramidOnDevice, OnSeveralThreads) {
  if (!queue_->is_host()) GTEST_SKIP() << "only the host has threads";
  for (const int threads : {2, 3, 7}) {
    queue_ = device_->make_queue(threads);
    check(noise_image(641, 479, 7).view());
    check(noise_image(1001, 333, 8, 3).view(), 31);
  }
}

TEST_P(FlowPyramidOnDevice, KeepsACopyOfThePicture) {
  FlowPyramid kept;
  EXPECT_TRUE(kept.empty());
  PaddedImage image = noise_image(40, 30, 5, 5);
  Plane plane;
  plane.borrow(image.view());
  build_flow_pyramid(*queue_, plane, 3, 9, kept);
  EXPECT_FALSE(kept.empty());
  EXPECT_EQ(kept.width(), 40);
  const int value = image.view().at(20, 10);
  plane.release();
  image.fill([](int, int) { return 0; });
  EXPECT_EQ(kept.host_view().level(0).at(20, 10), value);
}

TEST_P(FlowPyramidOnDevice, RejectsWhatCannotBeBuilt) {
  const PaddedImage image = noise_image(40, 30, 1);  // has to outlive the plane that borrows it
  Plane plane;
  FlowPyramid result;
  expect_rejected([&] { build_flow_pyramid(*queue_, plane, 5, 9, result); });
  plane.borrow(image.view());
  for (const auto& [levels, window] : {std::pair{9, 9}, {-1, 9}, {5, 2}}) {
    const int most = levels, side = window;
    expect_rejected([&] { build_flow_pyramid(*queue_, plane, most, side, result); });
  }
  build_flow_pyramid(*queue_, plane, 8, 9, result);
  EXPECT_EQ(result.levels.top, 1);
}

CLTRACK_ON_EVERY_DEVICE(FlowPyramidOnDevice);

}  // namespace
}  // namespace cltrack
