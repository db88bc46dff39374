// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/filter_colors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ops/filter/sample_windows.h"
#include "support/color_image.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::color_formats;
using test::ColorImage;

std::vector<std::uint16_t> sampled(const ColorPicture& picture, const BoundingBox& box, int side) {
  std::vector<std::uint16_t> bins(static_cast<std::size_t>(side * side));
  reference::sample_colors(picture, window_job(box, side), side, bins);
  return bins;
}

// Of a picture of one colour.
int bin_of(ColorSpace space, std::array<std::uint8_t, 3> color) {
  const auto format = std::ranges::find(color_formats(), space, &test::ColorFormat::space);
  ColorImage image(*format, 2, 2);
  image.fill_box(0, 0, 2, 2, color);
  return sampled(image.picture(), {0, 0, 2, 2}, 1)[0];
}

int packed(int c0, int c1, int c2) { return c0 << 10 | c1 << 5 | c2; }

TEST(SampleColors, TakesTheUpperBitsOfRedGreenAndBlue) {
  EXPECT_EQ(bin_of(ColorSpace::rgb, {0, 0, 0}), 0);
  EXPECT_EQ(bin_of(ColorSpace::rgb, {255, 255, 255}), kColorBins - 1);
  EXPECT_EQ(bin_of(ColorSpace::rgb, {7, 8, 16}), packed(0, 1, 2));
  EXPECT_EQ(bin_of(ColorSpace::rgb, {200, 100, 50}), packed(25, 12, 6));
}

TEST(SampleColors, DividesChromaAroundGrey) {
  EXPECT_EQ(bin_of(ColorSpace::yuv, {0, 128, 128}), packed(0, 16, 16));
  EXPECT_EQ(bin_of(ColorSpace::yuv, {255, 127, 132}), packed(31, 15, 17));
  EXPECT_EQ(bin_of(ColorSpace::yuv, {100, 0, 255}), packed(12, 0, 31));
  EXPECT_EQ(bin_of(ColorSpace::yuv, {100, 63, 192}), packed(12, 0, 31));
  EXPECT_EQ(bin_of(ColorSpace::yuv, {100, 67, 188}), packed(12, 0, 31));
  EXPECT_EQ(bin_of(ColorSpace::yuv, {100, 68, 187}), packed(12, 1, 30));
}

TEST(SampleColors, TakesTheBrightnessOfPicturesWithoutColour) {
  test::PaddedImage image(6, 5, 3);
  image.fill([](int x, int y) { return 40 * x + 8 * y; });
  const auto bins = sampled(luma_picture(image.view()), {1, 1, 4, 4}, 4);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      EXPECT_EQ(bins[static_cast<std::size_t>(4 * y + x)], packed(5 * (1 + x) + 1 + y, 0, 0));
    }
  }
}

// Places in exact binary fractions; the pixel that a coordinate lies in is its integer part.
TEST(SampleColors, TakesThePixelInTheMiddleOfASample) {
  for (const auto& format : color_formats()) {
    SCOPED_TRACE(format.name);
    ColorImage image(format, 37, 29, 5);
    image.fill_noise(3);
    for (const BoundingBox& box : {BoundingBox{3, 2, 16, 16}, BoundingBox{-7.5f, 1.25f, 40, 20},
                                   BoundingBox{10.125f, 9.375f, 4, 2}}) {
      const auto bins = sampled(image.picture(), box, 16);
      for (int j = 0; j < 16; ++j) {
        for (int i = 0; i < 16; ++i) {
          const int x = static_cast<int>(std::floor(box.x + (i + 0.5f) * box.width / 16));
          const int y = static_cast<int>(std::floor(box.y + (j + 0.5f) * box.height / 16));
          ColorPicture pixel = image.picture();
          for (auto& c : pixel.components) {
            c.data += (std::clamp(y, 0, 28) >> c.shift_y) * c.stride +
                      std::ptrdiff_t{std::clamp(x, 0, 36) >> c.shift_x} * c.step;
          }
          pixel.width = pixel.height = 1;
          EXPECT_EQ(bins[static_cast<std::size_t>(16 * j + i)], sampled(pixel, {0, 0, 1, 1}, 1)[0])
              << i << " " << j;
        }
      }
    }
  }
}

TEST(SampleColors, WindowsFarOutsideTakeTheCorners) {
  ColorImage image(color_formats()[9], 3, 3);
  image.fill_box(0, 0, 1, 1, {80, 0, 0});
  image.fill_box(2, 2, 1, 1, {0, 0, 80});
  const float far = kMostSampleOffset;
  const float largest = kMostSampleStep * kMostSampleSide;
  const auto last = sampled(image.picture(), {far, far, largest, largest}, kMostSampleSide);
  EXPECT_TRUE(std::ranges::all_of(last, [](int bin) { return bin == packed(0, 0, 10); }));
  const auto first = sampled(image.picture(), {-far, -far, 64, 64}, 4);
  EXPECT_TRUE(std::ranges::all_of(first, [](int bin) { return bin == packed(10, 0, 0); }));
}

}  // namespace
}  // namespace cltrack
