// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/fern_codes.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

std::vector<PixelPair> random_pairs(int count, int width, int height, std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](int n) {
    return static_cast<std::int16_t>(random.below(static_cast<std::uint32_t>(n)));
  };
  std::vector<PixelPair> pairs;
  for (int i = 0; i < count; ++i) {
    pairs.push_back({below(width), below(height), below(width), below(height)});
  }
  return pairs;
}

TEST(FernCodes, HandComputed) {
  // Grows to the right, so a pair's bit is set where its first pixel is further right.
  const PaddedImage ramp = PaddedImage(20, 10, 3).fill([](int x, int) { return 10 * x; });
  const std::vector<PixelPair> pairs = {{5, 0, 2, 0}, {1, 1, 4, 1}, {3, 2, 3, 4},   // 1 0 0
                                        {0, 0, 1, 0}, {9, 5, 0, 0}, {2, 0, 1, 3}};  // 0 1 1
  std::array<std::uint16_t, 2> codes;
  reference::fern_codes(ramp.view(), 4, 2, pairs, 2, codes.data());
  EXPECT_EQ(codes, (std::array<std::uint16_t, 2>{0b100, 0b011}));
}

TEST(FernCodes, EqualPixelsGiveZero) {
  const PaddedImage flat = PaddedImage(20, 20).fill([](int, int) { return 200; });
  std::array<std::uint16_t, 10> codes;
  codes.fill(0xFFFF);
  reference::fern_codes(flat.view(), 0, 0, random_pairs(130, 20, 20, 1), 10, codes.data());
  for (const std::uint16_t code : codes) EXPECT_EQ(code, 0);
}

TEST(WarpedFernCodes, WithoutAWarpAreTheCodes) {
  const PaddedImage image = noise_image(61, 47, 5, 3);
  const std::vector<PixelPair> pairs = random_pairs(130, 24, 20, 2);
  for (const auto& [x, y] : {std::array{0, 0}, {37, 27}, {10, 3}}) {
    std::array<std::uint16_t, 10> expected, codes;
    reference::fern_codes(image.view(), x, y, pairs, 10, expected.data());
    reference::warped_fern_codes(image.view(), x, y, pairs, 10,
                                 fixed_warp({.center_x = 17.5f, .center_y = 9}), codes.data());
    EXPECT_EQ(codes, expected);
  }
}

TEST(WarpedFernCodes, AShiftReadsFromAnotherPlace) {
  const PaddedImage image = noise_image(61, 47, 5);
  const std::vector<PixelPair> pairs = random_pairs(130, 24, 20, 2);
  std::array<std::uint16_t, 10> expected, codes;
  reference::fern_codes(image.view(), 13, 9, pairs, 10, expected.data());
  reference::warped_fern_codes(image.view(), 10, 11, pairs, 10,
                               fixed_warp({.shift_x = 3, .shift_y = -2}), codes.data());
  EXPECT_EQ(codes, expected);
}

TEST(WarpedFernCodes, AHalfTurnReversesTheWindow) {
  const PaddedImage image = noise_image(41, 31, 8);
  std::vector<PixelPair> pairs = random_pairs(130, 21, 11, 3);
  std::array<std::uint16_t, 10> expected, codes;
  reference::warped_fern_codes(
      image.view(), 10, 10, pairs, 10,
      fixed_warp({.center_x = 20, .center_y = 15, .matrix = {-1, 0, 0, -1}}), codes.data());
  for (PixelPair& p : pairs) {
    p = {static_cast<std::int16_t>(20 - p.x1), static_cast<std::int16_t>(10 - p.y1),
         static_cast<std::int16_t>(20 - p.x2), static_cast<std::int16_t>(10 - p.y2)};
  }
  reference::fern_codes(image.view(), 10, 10, pairs, 10, expected.data());
  EXPECT_EQ(codes, expected);
}

TEST(WarpedFernCodes, LookBeyondTheImageSafely) {
  const PaddedImage image = noise_image(30, 30, 8);
  std::array<std::uint16_t, 10> codes;
  for (const float shift : {-1000.0f, 1000.0f}) {
    reference::warped_fern_codes(image.view(), 5, 5, random_pairs(130, 20, 20, 4), 10,
                                 fixed_warp({.shift_x = shift, .shift_y = -shift}), codes.data());
    for (const std::uint16_t code : codes) EXPECT_EQ(code, 0) << "all pixels are the corner's";
  }
}

TEST(WarpedFernCodes, NoiseDependsOnTheSeedAndHasTheRightSpread) {
  // On a flat picture a pair's bit is noise(a) > noise(b). Against a pixel that is d brighter the
  // share of set bits is P(n1 - n2 > d), n1 - n2 normal with standard deviation noise * sqrt 2.
  const PaddedImage image = PaddedImage(80, 80).fill([](int x, int) { return x < 40 ? 100 : 107; });
  std::vector<PixelPair> pairs;
  for (int i = 0; i < 130; ++i) {
    pairs.push_back({static_cast<std::int16_t>(i % 13), static_cast<std::int16_t>(i / 13),
                     static_cast<std::int16_t>(50 + i % 13), static_cast<std::int16_t>(i / 13)});
  }
  int set = 0, all = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::array<std::uint16_t, 10> codes;
    reference::warped_fern_codes(image.view(), 5, 5, pairs, 10,
                                 fixed_warp({.noise = 5, .seed = seed * 7919}), codes.data());
    for (const std::uint16_t code : codes) set += __builtin_popcount(code);
    all += 130;
  }
  const double expected = 0.5 * std::erfc(7.5 / (5 * std::sqrt(2.0)) / std::sqrt(2.0));
  EXPECT_NEAR(static_cast<double>(set) / all, expected, 0.025);

  std::array<std::uint16_t, 10> a, b, c;
  reference::warped_fern_codes(image.view(), 5, 5, pairs, 10, fixed_warp({.noise = 5, .seed = 1}),
                               a.data());
  reference::warped_fern_codes(image.view(), 5, 5, pairs, 10, fixed_warp({.noise = 5, .seed = 1}),
                               b.data());
  reference::warped_fern_codes(image.view(), 5, 5, pairs, 10, fixed_warp({.noise = 5, .seed = 2}),
                               c.data());
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

}  // namespace
}  // namespace cltrack
