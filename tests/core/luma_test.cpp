// SPDX-License-Identifier: LGPL-2.1-or-later
// The brightness of pictures. Of all formats of GStreamer: gst/pictures/mapped_frame_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cltrack/color_picture.h"
#include "support/errors.h"

namespace cltrack::test {
namespace {

ColorPicture rgb(const std::uint8_t* data, int step, int width, int height, std::ptrdiff_t stride) {
  ColorPicture picture{
      .space = ColorSpace::rgb, .encoding = {}, .width = width, .height = height, .components = {}};
  if (data == nullptr) return picture;
  for (int c = 0; c < 3; ++c) picture.components[c] = {data + c, stride, step};
  return picture;
}

TEST(LumaTest, RgbIsWeighedWhateverItsStep) {
  for (const int step : {3, 4, 7}) {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(2 * step * 3 + 5));
    const auto set = [&](int x, int y, int r, int g, int b) {
      const int at = y * (2 * step + 1) + x * step;
      for (int c = 0; c < 3; ++c) {
        pixels[static_cast<std::size_t>(at + c)] = static_cast<std::uint8_t>(c == 0   ? r
                                                                             : c == 1 ? g
                                                                                      : b);
      }
    };
    set(0, 0, 255, 0, 0);
    set(1, 0, 0, 255, 0);
    set(0, 1, 0, 0, 255);
    set(1, 1, 200, 200, 200);
    Image scratch;
    const ImageView luma = luma_of(rgb(pixels.data(), step, 2, 2, 2 * step + 1), scratch);
    EXPECT_EQ(luma.data, scratch.view().data);
    EXPECT_EQ(luma.at(0, 0), 76);
    EXPECT_EQ(luma.at(1, 0), 150);
    EXPECT_EQ(luma.at(0, 1), 29);
    EXPECT_EQ(luma.at(1, 1), 200);
  }
}

// Longer than the vectors, and no multiple of them.
TEST(LumaTest, EveryPixelOfARowIsTheWeightedMean) {
  for (const int step : {1, 3, 4, 5}) {
    constexpr int kWidth = 101;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(kWidth * step + 3));
    for (std::size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = static_cast<std::uint8_t>(i * 89 + 7);
    Image scratch;
    const ImageView luma = luma_of(rgb(pixels.data(), step, kWidth, 1, kWidth * step), scratch);
    for (int x = 0; x < kWidth; ++x) {
      const std::uint8_t* at = pixels.data() + x * step;
      EXPECT_EQ(luma.at(x, 0), (9798 * at[0] + 19235 * at[1] + 3735 * at[2] + 16384) >> 15) << step;
    }
  }
}

TEST(LumaTest, APlaneIsBorrowedAndOthersAreCopied) {
  const std::vector<std::uint8_t> pixels = {1, 2, 3, 4, 5, 6, 7, 8};
  ColorPicture picture;
  picture.width = picture.height = 2;
  picture.components[0] = {pixels.data(), 4, 1};
  Image scratch;
  EXPECT_EQ(luma_of(picture, scratch).data, pixels.data());
  EXPECT_EQ(scratch.width(), 0);
  picture.components[0].step = 2;
  ImageView luma = luma_of(picture, scratch);
  EXPECT_EQ(luma.data, scratch.view().data);
  EXPECT_EQ(luma.at(1, 0), 3);
  EXPECT_EQ(luma.at(1, 1), 7);
  picture.components[0] = {pixels.data() + 4, -4, 1};  // bottom-up
  luma = luma_of(picture, scratch);
  EXPECT_EQ(luma.data, scratch.view().data);
  EXPECT_EQ(luma.at(0, 0), 5);
  EXPECT_EQ(luma.at(1, 1), 2);
}

TEST(LumaTest, SaysWhatIsWrong) {
  const std::vector<std::uint8_t> pixels(64);
  Image scratch;
  expect_rejected([&] { luma_of({}, scratch); }, {"no pixels"});
  expect_rejected([&] { luma_of(rgb(nullptr, 3, 2, 2, 6), scratch); }, {"no memory"});
  expect_rejected([&] { luma_of(rgb(pixels.data(), 0, 2, 2, 6), scratch); }, {"a step of 0"});
  ColorPicture picture = rgb(pixels.data(), 3, 2, 2, 6);
  picture.components[1].step = 1;
  expect_rejected([&] { luma_of(picture, scratch); }, {"different steps"});
  picture.space = ColorSpace::yuv;
  picture.components[0].shift_x = 1;
  expect_rejected([&] { luma_of(picture, scratch); }, {"component 0 is subsampled"});
}

}  // namespace
}  // namespace cltrack::test
