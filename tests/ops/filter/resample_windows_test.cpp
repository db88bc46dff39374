// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/sample_windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/random.h"
#include "support/errors.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using Body = void (*)(std::span<const std::uint16_t>, int, const WindowJob&, int,
                      std::span<std::uint16_t>);
using Samples = std::vector<std::uint16_t>;

constexpr int kSource = 80;

Samples resampled(Body body, const Samples& source, int source_side, const BoundingBox& box,
                  int side) {
  Samples samples(static_cast<std::size_t>(side * side));
  body(source, source_side, resample_job(box, side, 0), side, samples);
  return samples;
}

class ResampleWindow : public testing::TestWithParam<Body> {};

INSTANTIATE_TEST_SUITE_P(Bodies, ResampleWindow,
                         testing::Values(Body{reference::resample_window},
                                         Body{vector::resample_window}),
                         [](const auto& body) { return body.index == 0 ? "reference" : "vector"; });

// A source with a sample for each pixel is the picture itself.
TEST_P(ResampleWindow, EqualsSamplingThePicture) {
  const test::PaddedImage image = test::noise_image(kSource, kSource, 5);
  Samples source;
  for (int y = 0; y < kSource; ++y) {
    for (int x = 0; x < kSource; ++x) {
      source.push_back(static_cast<std::uint16_t>(image.view().row(y)[x] * kGreySamples));
    }
  }
  for (const BoundingBox& box : {BoundingBox{7, 3, 24, 24}, BoundingBox{10.3f, 12, 57.9f, 58},
                                 BoundingBox{40, 40, 5, 7}, BoundingBox{-300, -200, 700, 600}}) {
    Samples expected(24 * 24);
    reference::sample_window(image.view(), window_job(box, 24), 24, expected);
    EXPECT_EQ(resampled(GetParam(), source, kSource, box, 24), expected) << box.x;
  }
}

TEST_P(ResampleWindow, WhiteStaysWhiteUpToTheLargestStep) {
  const Samples source(kSource * kSource, 255 * kGreySamples);
  for (const float step : {0.02f, 1.0f, 2.4f, 31.9f, kMostResampleStep}) {
    const auto samples =
        resampled(GetParam(), source, kSource, {-70.3f, -20, 24 * step, 24 * step}, 24);
    for (const std::uint16_t sample : samples) EXPECT_EQ(sample, 255 * kGreySamples) << step;
  }
}

TEST(ResampleWindowBodies, AreEqual) {
  Random random(8);
  for (const int source_side : {1, 3, 80, 131}) {
    Samples source(static_cast<std::size_t>(source_side * source_side));
    for (std::uint16_t& sample : source) sample = static_cast<std::uint16_t>(random.below(16321));
    for (const BoundingBox& box :
         {BoundingBox{1, 2, 57.9f, 58}, BoundingBox{-20.3f, 4.7f, 77.7f, 31},
          BoundingBox{50, 50, 4.5f, 9}, BoundingBox{-90, -60, 210, 220}}) {
      for (const int side : {7, 24, 33}) {
        EXPECT_EQ(resampled(reference::resample_window, source, source_side, box, side),
                  resampled(vector::resample_window, source, source_side, box, side))
            << source_side << " " << box.x << " " << side;
      }
    }
  }
}

TEST(ResampleJob, HasItsSource) {
  const WindowJob job = resample_job({2, 3, 48, 24}, 24, 7);
  EXPECT_EQ(job.frame, 7);
  EXPECT_EQ(job.x, 2 * CLTRACK_WINDOW_PIXEL);
  EXPECT_EQ(job.step_x, 2 * CLTRACK_WINDOW_PIXEL);
}

TEST(ResampleJob, RejectsWhatCannotBeSummedUp) {
  const auto message = [](const BoundingBox& box) {
    const Error error = test::error_of([&] { resample_job(box, 24, 0); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return std::string(error.what());
  };
  EXPECT_THAT(message({0, 0, 24 * 33, 24}), testing::HasSubstr("792"));
  EXPECT_THAT(message({0, 0, 24, 24 * 33}), testing::HasSubstr("32"));
  EXPECT_THAT(message({0, 0, 0.1f, 24}), testing::HasSubstr("1/64"));
}

}  // namespace
}  // namespace cltrack
