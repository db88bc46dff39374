// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ops/filter/filter_colors.h"
#include "ops/filter/sample_windows.h"
#include "support/color_image.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::color_formats;
using test::ColorImage;

const std::vector<BoundingBox> kBoxes = {{0, 0, 30, 20},
                                         {-20.3f, 4.7f, 77.7f, 31},
                                         {50, 50, 4.5f, 9},
                                         {-500, -300, 1500, 900},
                                         {-90, -80, 20, 30},
                                         {1000, 900, 64, 64},
                                         {-3000, -2000, 7000, 5000}};

class SampleColorsOnDevice : public test::DeviceTest {
 protected:
  // `source`: ColorPlanes, or the Plane of a picture without colours.
  template <typename Source>
  void expect_equals_reference(const Source& source, const ColorPicture& picture,
                               const std::vector<BoundingBox>& boxes, int side) {
    SCOPED_TRACE(std::to_string(picture.width) + "x" + std::to_string(picture.height) + " " +
                 std::to_string(side));
    std::vector<WindowJob> jobs;
    for (const BoundingBox& box : boxes) jobs.push_back(window_job(box, side));
    const auto each = static_cast<std::size_t>(side * side);
    std::vector<std::uint16_t> expected(boxes.size() * each);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      reference::sample_colors(picture, jobs[i], side, std::span(expected).subspan(i * each, each));
    }
    Array<std::uint16_t> bins;
    const test::Canary canary(bins, expected.size(), *queue_);
    const std::uint64_t launches = queue_->count().launches;
    sample_colors(*queue_, source, Array<WindowJob>(jobs), side, bins);
    EXPECT_EQ(queue_->count().launches - launches, queue_->is_host() || boxes.empty() ? 0u : 1u);
    EXPECT_TRUE(canary.is_intact());
    EXPECT_TRUE(std::ranges::equal(bins.host_read(), expected));
  }
};

TEST_P(SampleColorsOnDevice, EveryFormatAndAnySize) {
  for (const auto& format : color_formats()) {
    SCOPED_TRACE(format.name);
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 90}, {97, 5}, {211, 160}}) {
      ColorImage image(format, width, height, 3);
      image.fill_noise(static_cast<std::uint64_t>(width));
      ColorPlanes planes;
      planes.borrow(image.picture());
      for (const int side : {7, 33}) expect_equals_reference(planes, image.picture(), kBoxes, side);
    }
  }
}

TEST_P(SampleColorsOnDevice, BottomUpPictures) {
  ColorImage image(color_formats()[9], 50, 40, 2);
  image.fill_noise(4);
  ColorPicture flipped = image.picture();
  for (ColorComponent& c : flipped.components) {
    c.data += 39 * c.stride;
    c.stride = -c.stride;
  }
  ColorPlanes planes;
  planes.borrow(flipped);
  expect_equals_reference(planes, flipped, kBoxes, 128);
}

TEST_P(SampleColorsOnDevice, PicturesWithoutColour) {
  for (const auto& [width, height] : {std::pair{1, 1}, {97, 5}, {211, 160}}) {
    const auto image = test::noise_image(width, height, 9, 3);
    Plane plane;
    plane.borrow(image.view());
    for (const int side : {7, 128}) {
      expect_equals_reference(plane, luma_picture(image.view()), kBoxes, side);
    }
  }
}

TEST_P(SampleColorsOnDevice, NoWindows) {
  const auto image = test::noise_image(20, 20, 9);
  Plane plane;
  plane.borrow(image.view());
  expect_equals_reference(plane, luma_picture(image.view()), {}, 32);
}

TEST_P(SampleColorsOnDevice, RejectsWhatItCannotDo) {
  const ColorImage image(color_formats()[0], 20, 20);
  ColorPlanes planes;
  Plane plane;
  Array<std::uint16_t> bins;
  const auto expect_rejected = [&](int side) {
    EXPECT_EQ(test::error_of([&] { sample_colors(*queue_, planes, {}, side, bins); }).code(),
              ErrorCode::invalid_argument);
    EXPECT_EQ(test::error_of([&] { sample_colors(*queue_, plane, {}, side, bins); }).code(),
              ErrorCode::invalid_argument);
  };
  expect_rejected(32);  // no picture
  planes.borrow(image.picture());
  plane.resize(20, 20);
  for (const int side : {-1, 0, kMostSampleSide + 1}) expect_rejected(side);
}

CLTRACK_ON_EVERY_DEVICE(SampleColorsOnDevice);

}  // namespace
}  // namespace cltrack
