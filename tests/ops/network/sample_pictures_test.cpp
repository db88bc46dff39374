// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/network/sample_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/check_op.h"
#include "support/color_image.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::color_formats;
using test::ColorImage;
using test::expect_rejected;
using Floats = std::vector<float>;

constexpr PictureColor kFill = {10, 20, 30};
constexpr PictureColor kNoMean = {0, 0, 0};
constexpr PictureColor kMean = {103.5f, 116.25f, 123.675f};

using Sample = void (*)(const ColorPicture&, const PictureJob&, const PictureColors&, int,
                        std::span<float>);

Floats sampled(const ColorPicture& frame, const BoundingBox& box, int side,
               const PictureColor& mean = kNoMean, Sample sample = reference::sample_picture) {
  Floats values(static_cast<std::size_t>(3 * side * side));
  sample(frame, picture_job(box, side, kFill), picture_colors(frame.space, frame.encoding, mean),
         side, values);
  return values;
}

// Of a picture of one colour.
Floats color_of(const char* format, std::array<std::uint8_t, 3> color,
                const PictureColor& mean = kNoMean) {
  ColorImage image(test::color_format(format), 4, 4);
  image.fill_box(0, 0, 4, 4, color);
  return sampled(image.picture(), {0, 0, 4, 4}, 1, mean);
}

void expect_near(const Floats& got, const Floats& expected, float most) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], most) << i;
}

TEST(SamplePictures, GivesBlueGreenRed) {
  EXPECT_EQ(color_of("RGB", {200, 100, 50}), (Floats{50, 100, 200}));
  EXPECT_EQ(color_of("RGB", {200, 100, 50}, {1, 2, 3}), (Floats{49, 98, 197}));
  Image grey(2, 2);
  for (int y = 0; y < 2; ++y) std::fill_n(grey.row(y), 2, std::uint8_t{7});
  EXPECT_EQ(sampled(luma_picture(grey.view()), {0, 0, 2, 2}, 1), (Floats{7, 7, 7}));
}

// Of BT.601, 16 to 235: black, white, red, and what no colour is.
TEST(SamplePictures, ConvertsYuv) {
  expect_near(color_of("I420", {16, 128, 128}), {0, 0, 0}, 0);
  expect_near(color_of("I420", {235, 128, 128}), {255, 255, 255}, 1e-3f);
  expect_near(color_of("I420", {81, 90, 240}), {0, 0, 255}, 2);
  expect_near(color_of("I420", {145, 54, 34}), {0, 255, 0}, 2);
  expect_near(color_of("I420", {255, 255, 255}), {255, 125, 255}, 1);
}

TEST(SamplePictures, ConvertsTheFullRange) {
  ColorImage image(test::color_format("I420"), 4, 4);
  image.fill_box(0, 0, 4, 4, {76, 85, 255});
  ColorPicture picture = image.picture();
  picture.encoding.full_range = true;
  expect_near(sampled(picture, {0, 0, 4, 4}, 1), {0, 0, 254}, 1);
  picture.encoding = {.red = 0.2126, .blue = 0.0722, .full_range = true};
  expect_near(sampled(picture, {0, 0, 4, 4}, 1), {0, 25, 255}, 1);
}

// Pixels are 0, 100 and 200 from left to right.
TEST(SamplePictures, InterpolatesBetweenPixels) {
  Image image(3, 2);
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 3; ++x) image.row(y)[x] = static_cast<std::uint8_t>(100 * x);
  }
  const ColorPicture picture = luma_picture(image.view());
  const auto at = [&](float x) { return sampled(picture, {x - 0.5f, 0.5f, 1, 1}, 1)[0]; };
  EXPECT_EQ(at(0.5f), 0);
  EXPECT_EQ(at(1), 50);
  EXPECT_EQ(at(1.25f), 75);
  EXPECT_EQ(at(1.5f), 100);
  EXPECT_EQ(at(0.25f), 0);  // beyond the first middle
  EXPECT_EQ(at(2.75f), 200);
  EXPECT_EQ(at(2.999f), 200);
}

TEST(SamplePictures, FillsWhatLiesBeyondTheFrame) {
  const Image image(2, 2);
  const Floats values = sampled(luma_picture(image.view()), {-1, 0, 4, 4}, 4, {1, 2, 3});
  for (int place = 0; place < 16; ++place) {
    const int x = place % 4, y = place / 4;
    const bool is_inside = x >= 1 && x <= 2 && y <= 1;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(values[static_cast<std::size_t>(3 * place) + k],
                (is_inside ? 0.0f : kFill[k]) - static_cast<float>(k + 1))
          << place;
    }
  }
}

TEST(SamplePictures, VectorBodyEqualsThePlainOne) {
  for (const auto& format : color_formats()) {
    SCOPED_TRACE(format.name);
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 90}, {97, 5}, {211, 160}}) {
      ColorImage image(format, width, height, 3);
      image.fill_noise(static_cast<std::uint64_t>(width));
      for (const ColorPicture& picture : {image.picture(), test::bottom_up(image.picture())}) {
        for (const int side : {7, 33, 255}) {
          for (const BoundingBox& box : test::kBoxesAnywhere) {
            test::expect_same<float>(sampled(picture, box, side, kMean, vector::sample_picture),
                                     sampled(picture, box, side, kMean));
          }
        }
      }
    }
  }
}

class SamplePicturesOnDevice : public test::DeviceTest {
 protected:
  void check(const PictureSource& source, const std::vector<BoundingBox>& boxes, int side) {
    SCOPED_TRACE(std::to_string(source.width()) + "x" + std::to_string(source.height()) + " " +
                 std::to_string(side));
    std::vector<PictureJob> jobs;
    Floats expected;
    for (const BoundingBox& box : boxes) {
      jobs.push_back(picture_job(box, side, kFill));
      const Floats own = sampled(source.picture(), box, side, kMean);
      expected.insert(expected.end(), own.begin(), own.end());
    }
    const auto op = [&](auto& pictures) {
      sample_pictures(*queue_, source, Array<PictureJob>(jobs), side, kMean, pictures);
    };
    test::check_op(*queue_, boxes.empty() ? 0 : 1, op, test::Output{expected});
  }
};

TEST_P(SamplePicturesOnDevice, EveryFormatAndAnySize) {
  for (const auto& format : color_formats()) {
    SCOPED_TRACE(format.name);
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 90}, {211, 160}}) {
      ColorImage image(format, width, height, 3);
      image.fill_noise(static_cast<std::uint64_t>(width));
      ColorPlanes planes;
      planes.borrow(image.picture());
      check(planes, test::kBoxesAnywhere, 17);
    }
  }
}

TEST_P(SamplePicturesOnDevice, BottomUpFrames) {
  ColorImage image(color_formats()[9], 50, 40, 2);
  image.fill_noise(4);
  const ColorPicture flipped = test::bottom_up(image.picture());
  ColorPlanes planes;
  planes.borrow(flipped);
  check(planes, test::kBoxesAnywhere, 33);
}

TEST_P(SamplePicturesOnDevice, FramesWithoutColour) {
  for (const auto& [width, height] : {std::pair{1, 1}, {97, 5}, {211, 160}}) {
    const auto image = test::noise_image(width, height, 9, 3);
    Plane plane;
    plane.borrow(image.view());
    for (const int side : {7, 33}) check(plane, test::kBoxesAnywhere, side);
    check(plane, {}, 32);
  }
}

TEST_P(SamplePicturesOnDevice, RejectsWhatItCannotDo) {
  const ColorImage image(color_formats()[0], 20, 20);
  ColorPlanes planes;
  Array<float> pictures;
  const auto sample = [&](int side) {
    sample_pictures(*queue_, planes, {}, side, kMean, pictures);
  };
  expect_rejected([&] { sample(32); });  // no frame
  planes.borrow(image.picture());
  sample(32);
  for (const int side : {-1, 0, kMostPictureSide + 1}) expect_rejected([&] { sample(side); });
  constexpr float kLong = kMostPictureLength * 1.01f;
  for (const BoundingBox& box : {BoundingBox{0, 0, kLong, 8}, BoundingBox{0, 0, 8, kLong},
                                 BoundingBox{0, 0, 8, std::numeric_limits<float>::quiet_NaN()},
                                 BoundingBox{2 * kLong, 0, 8, 8}}) {
    expect_rejected([&] { picture_job(box, kMostPictureSide, kFill); });
  }
}

CLTRACK_ON_EVERY_DEVICE(SamplePicturesOnDevice);

}  // namespace
}  // namespace cltrack
