// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/sample_windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/errors.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

using Body = void (*)(const ImageView&, const WindowJob&, int, std::span<std::uint16_t>);

std::vector<std::uint16_t> sampled(Body body, const ImageView& image, const BoundingBox& box,
                                   int side) {
  std::vector<std::uint16_t> samples(static_cast<std::size_t>(side * side));
  body(image, window_job(box, side), side, samples);
  return samples;
}

class SampleWindow : public testing::TestWithParam<Body> {};

INSTANTIATE_TEST_SUITE_P(Bodies, SampleWindow,
                         testing::Values(Body{reference::sample_window},
                                         Body{vector::sample_window}),
                         [](const auto& body) { return body.index == 0 ? "reference" : "vector"; });

TEST_P(SampleWindow, TakesPixelsOfAWindowOfTheirSize) {
  const PaddedImage image = noise_image(40, 30, 1, 5);
  const auto samples = sampled(GetParam(), image.view(), {7, 3, 16, 16}, 16);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) {
      EXPECT_EQ(samples[static_cast<std::size_t>(y * 16 + x)],
                image.view().row(3 + y)[7 + x] * kGreySamples);
    }
  }
}

TEST_P(SampleWindow, TakesTheMeanOfWhatASampleCovers) {
  PaddedImage image(12, 12);
  image.fill([](int x, int y) { return 10 * x + y; });
  // 2.5 x 2.5 pixels: columns 1, 2 and half of 3, rows 2, 3 and half of 4.
  const auto samples = sampled(GetParam(), image.view(), {1, 2, 2.5f, 2.5f}, 1);
  EXPECT_NEAR(samples[0] / 64.0, 10 * (1 + 2 + 1.5) / 2.5 + (2 + 3 + 2) / 2.5, 0.02);
}

TEST_P(SampleWindow, InterpolatesBetweenPixels) {
  PaddedImage image(12, 12);
  image.fill([](int x, int y) { return 10 * x + 7 * y; });
  const auto samples = sampled(GetParam(), image.view(), {4, 4, 2, 2}, 8);
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      // Pixel 4's middle is at 4.5.
      const double expected = 10 * (4 + (x + 0.5) / 4 - 0.5) + 7 * (4 + (y + 0.5) / 4 - 0.5);
      EXPECT_NEAR(samples[static_cast<std::size_t>(y * 8 + x)] / 64.0, expected, 0.02);
    }
  }
}

TEST_P(SampleWindow, RepeatsTheOutermostPixels) {
  PaddedImage image(4, 4);
  image.fill([](int x, int y) { return x == 0 && y == 0 ? 200 : 10; });
  const auto samples = sampled(GetParam(), image.view(), {-80, -60, 40, 30}, 8);
  for (const std::uint16_t sample : samples) EXPECT_EQ(sample, 200 * kGreySamples);
}

TEST_P(SampleWindow, WhiteStaysWhite) {
  PaddedImage image(64, 64);
  image.fill([](int, int) { return 255; });
  for (const float side : {1.3f, 100.0f, 4000.0f, 30000.0f}) {
    const auto samples = sampled(GetParam(), image.view(), {-7.3f, -20, side, side}, 32);
    for (const std::uint16_t sample : samples) EXPECT_EQ(sample, 255 * kGreySamples) << side;
  }
}

TEST(SampleWindowBodies, AreEqual) {
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 90}, {97, 5}, {211, 160}}) {
    const PaddedImage image = noise_image(width, height, 9, 3);
    for (const BoundingBox& box : {BoundingBox{0, 0, 30, 20}, BoundingBox{-20.3f, 4.7f, 77.7f, 31},
                                   BoundingBox{50, 50, 4.5f, 9}, BoundingBox{-500, -300, 1500, 900},
                                   BoundingBox{-3000, -2000, 7000, 5000}}) {
      for (const int side : {7, 24, 33}) {
        EXPECT_EQ(sampled(reference::sample_window, image.view(), box, side),
                  sampled(vector::sample_window, image.view(), box, side))
            << width << "x" << height << " " << box.x << " " << side;
      }
    }
  }
}

TEST(WindowJobOf, RejectsWhatCannotBeCounted) {
  const auto message = [](const BoundingBox& box) {
    const Error error = test::error_of([&] { window_job(box, 32); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return std::string(error.what());
  };
  EXPECT_THAT(message({0, 0, 0.1f, 32}), testing::HasSubstr("1/64"));
  EXPECT_THAT(message({0, 0, 40000, 32}), testing::HasSubstr("40000"));
  EXPECT_THAT(message({0, -1e9f, 32, 32}), testing::HasSubstr("-1000000000"));
  EXPECT_THAT(message({0, std::nanf(""), 32, 32}), testing::HasSubstr("nan"));
}

}  // namespace
}  // namespace cltrack
