// SPDX-License-Identifier: LGPL-2.1-or-later
#include "identity/appearance.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace cltrack {
namespace {

constexpr int kWidth = 96, kHeight = 80, kStride = 3 * kWidth + 5;
constexpr BoundingBox kBox{20, 10, 32, 64};

class AppearanceTest : public ::testing::Test {
 protected:
  AppearanceTest() : pixels_(static_cast<std::size_t>(kStride) * kHeight, 0) {
    picture_.space = ColorSpace::rgb;
    picture_.width = kWidth;
    picture_.height = kHeight;
    for (std::size_t c = 0; c < 3; ++c) {
      picture_.components[c] = {.data = pixels_.data() + c, .stride = kStride, .step = 3};
    }
  }
  // A person in a shirt and trousers of these colours, somewhat noisy.
  Appearance person(std::uint32_t shirt, std::uint32_t trousers, unsigned seed = 1) {
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const std::uint32_t color = static_cast<float>(y) < kBox.center_y() ? shirt : trousers;
        for (int c = 0; c < 3; ++c) {
          seed = seed * 1664525u + 1013904223u;
          const auto value =
              static_cast<int>(color >> (16 - 8 * c) & 255) + static_cast<int>(seed >> 28) - 8;
          pixels_[static_cast<std::size_t>(y * kStride + 3 * x + c)] =
              static_cast<std::uint8_t>(std::min(std::max(value, 0), 255));
        }
      }
    }
    return Appearance::of(picture_, kBox).value();
  }

  std::vector<std::uint8_t> pixels_;
  ColorPicture picture_;
};

TEST_F(AppearanceTest, TellsColoursAndWhereTheyAreApart) {
  const Appearance red = person(0xc03030, 0x303060), again = person(0xc03030, 0x303060, 77);
  EXPECT_NEAR(red.similarity(red), 1, 1e-5f);
  EXPECT_GT(red.similarity(again), 0.95f);
  EXPECT_FLOAT_EQ(red.similarity(again), again.similarity(red));
  EXPECT_LT(red.similarity(person(0x3060c0, 0x303060)), 0.9f) << "another shirt";
  EXPECT_LT(red.similarity(person(0x303060, 0xc03030)), 0.6f) << "the other way round";
}

TEST_F(AppearanceTest, ComparesByBrightnessWhereOneHasNoColours) {
  const Appearance red = person(0xc03030, 0x303060);
  ColorPicture grey = picture_;
  grey.space = ColorSpace::none;
  const Appearance without = Appearance::of(grey, kBox).value();
  EXPECT_NEAR(without.similarity(without), 1, 1e-5f);
  EXPECT_FLOAT_EQ(red.similarity(without), without.similarity(red));
}

TEST_F(AppearanceTest, AnyBoxIsSafe) {
  person(0xc03030, 0x303060);
  constexpr float kHuge = std::numeric_limits<float>::max();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const BoundingBox& box :
       {BoundingBox{-50, -50, 40, 40}, BoundingBox{kWidth, 0, 9, 9}, BoundingBox{0, 0, 0, 9},
        BoundingBox{nan, 0, 9, 9}, BoundingBox{0.2f, 0.2f, 0.5f, 0.5f}}) {
    EXPECT_FALSE(Appearance::of(picture_, box).has_value()) << box.x;
  }
  for (const BoundingBox& box :
       {BoundingBox{-50, -50, 1000, 1000}, BoundingBox{kWidth - 1.5f, kHeight - 1.5f, 9, 9},
        BoundingBox{3, 3, 1, 1}, BoundingBox{-kHuge / 4, -kHuge / 4, kHuge / 2, kHuge / 2}}) {
    const auto sample = Appearance::of(picture_, box);
    EXPECT_NEAR(sample ? sample->similarity(*sample) : 1, 1, 1e-5f) << box.x;
  }
  EXPECT_FALSE(Appearance::of({}, kBox).has_value()) << "no picture";
}

TEST_F(AppearanceTest, AGalleryKeepsItsFirstSamples) {
  AppearanceGallery gallery;
  const Appearance red = person(0xc03030, 0x303060), green = person(0x30a030, 0x808080);
  EXPECT_TRUE(gallery.empty());
  EXPECT_EQ(gallery.similarity(red), 0);
  gallery.add(red);
  EXPECT_FALSE(gallery.empty());
  for (int i = 0; i < 50; ++i) gallery.add(green);
  EXPECT_NEAR(gallery.similarity(red), 1, 1e-5f);
  EXPECT_NEAR(gallery.similarity(green), 1, 1e-5f);
}

}  // namespace
}  // namespace cltrack
