// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/sample_windows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/check_op.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::expect_rejected;
using test::noise_image;
using test::PaddedImage;
using test::part_of;
using Samples = std::vector<std::uint16_t>;

Samples sampled(const ImageView& image, const BoundingBox& box, int side) {
  Samples samples(static_cast<std::size_t>(side * side));
  reference::sample_window(image, window_job(box, side), side, samples);
  return samples;
}

Samples resampled(const Samples& source, int source_side, const BoundingBox& box, int side) {
  Samples samples(static_cast<std::size_t>(side * side));
  reference::resample_window(source, source_side, resample_job(box, side, 0), side, samples);
  return samples;
}

TEST(SampleWindow, TakesPixelsOfAWindowOfTheirSize) {
  const PaddedImage image = noise_image(40, 30, 1, 5);
  const auto samples = sampled(image.view(), {7, 3, 16, 16}, 16);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) {
      EXPECT_EQ(samples[static_cast<std::size_t>(y * 16 + x)],
                image.view().row(3 + y)[7 + x] * kGreySamples);
    }
  }
}

TEST(SampleWindow, TakesTheMeanOfWhatASampleCovers) {
  PaddedImage image(12, 12);
  image.fill([](int x, int y) { return 10 * x + y; });
  // 2.5 x 2.5 pixels: columns 1, 2 and half of 3, rows 2, 3 and half of 4.
  EXPECT_NEAR(sampled(image.view(), {1, 2, 2.5f, 2.5f}, 1)[0] / 64.0,
              10 * (1 + 2 + 1.5) / 2.5 + (2 + 3 + 2) / 2.5, 0.02);
}

TEST(SampleWindow, InterpolatesBetweenPixels) {
  PaddedImage image(12, 12);
  image.fill([](int x, int y) { return 10 * x + 7 * y; });
  const auto samples = sampled(image.view(), {4, 4, 2, 2}, 8);
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      // Pixel 4's middle is at 4.5.
      const double expected = 10 * (4 + (x + 0.5) / 4 - 0.5) + 7 * (4 + (y + 0.5) / 4 - 0.5);
      EXPECT_NEAR(samples[static_cast<std::size_t>(y * 8 + x)] / 64.0, expected, 0.02);
    }
  }
}

TEST(SampleWindow, RepeatsTheOutermostPixels) {
  PaddedImage image(4, 4);
  image.fill([](int x, int y) { return x == 0 && y == 0 ? 200 : 10; });
  EXPECT_EQ(sampled(image.view(), {-80, -60, 40, 30}, 8), Samples(64, 200 * kGreySamples));
}

// A source with a sample for each pixel is the picture itself.
TEST(ResampleWindow, EqualsSamplingThePicture) {
  const PaddedImage image = noise_image(80, 80, 5);
  Samples source;
  for (int y = 0; y < 80; ++y) {
    for (int x = 0; x < 80; ++x) {
      source.push_back(static_cast<std::uint16_t>(image.view().row(y)[x] * kGreySamples));
    }
  }
  for (const BoundingBox& box : {BoundingBox{7, 3, 24, 24}, BoundingBox{10.3f, 12, 57.9f, 58},
                                 BoundingBox{40, 40, 5, 7}, BoundingBox{-300, -200, 700, 600}}) {
    EXPECT_EQ(resampled(source, 80, box, 24), sampled(image.view(), box, 24)) << box.x;
  }
}

TEST(ResampleJob, HasItsSource) {
  const WindowJob job = resample_job({2, 3, 48, 24}, 24, 7);
  EXPECT_EQ(job.frame, 7);
  EXPECT_EQ(job.x, 2 * CLTRACK_WINDOW_PIXEL);
  EXPECT_EQ(job.step_x, 2 * CLTRACK_WINDOW_PIXEL);
}

TEST(WindowJobs, RejectWhatCannotBeSummedUp) {
  expect_rejected([] { window_job({0, 0, 0.1f, 32}, 32); }, {"1/64"});
  expect_rejected([] { window_job({0, 0, 40000, 32}, 32); }, {"40000"});
  expect_rejected([] { window_job({0, -1e9f, 32, 32}, 32); }, {"-1000000000"});
  expect_rejected([] { window_job({0, std::nanf(""), 32, 32}, 32); }, {"nan"});
  expect_rejected([] { resample_job({0, 0, 24 * 33, 24}, 24, 0); }, {"792"});
  expect_rejected([] { resample_job({0, 0, 24, 24 * 33}, 24, 0); }, {"32"});
  expect_rejected([] { resample_job({0, 0, 0.1f, 24}, 24, 0); }, {"1/64"});
}

class WindowsOnDevice : public test::DeviceTest {
 protected:
  void check_sampling(const PaddedImage& image, const std::vector<BoundingBox>& boxes, int side) {
    SCOPED_TRACE(std::to_string(image.width()) + "x" + std::to_string(image.height()) + " " +
                 std::to_string(side));
    std::vector<WindowJob> jobs;
    Samples expected;
    for (const BoundingBox& box : boxes) {
      jobs.push_back(window_job(box, side));
      const Samples own = sampled(image.view(), box, side);
      expected.insert(expected.end(), own.begin(), own.end());
    }
    Plane plane;
    plane.borrow(image.view());
    const auto op = [&](auto& samples) {
      sample_windows(*queue_, plane, Array<WindowJob>(jobs), side, samples);
    };
    test::check_op(*queue_, boxes.empty() ? 0 : 1, op, test::Output{expected});
  }

  // Each box out of each source.
  void check_resampling(int sources, int source_side, const std::vector<BoundingBox>& boxes,
                        int side, std::uint32_t lowest = 0) {
    SCOPED_TRACE(std::to_string(source_side) + " to " + std::to_string(side));
    const auto area = static_cast<std::size_t>(source_side * source_side);
    const auto each = static_cast<std::size_t>(side * side);
    Samples source = test::random_integers<std::uint16_t>(static_cast<std::size_t>(sources) * area,
                                                          16321 - lowest, 8);
    for (std::uint16_t& sample : source) sample = static_cast<std::uint16_t>(sample + lowest);
    std::vector<WindowJob> jobs;
    for (const BoundingBox& box : boxes) {
      for (int i = sources; i-- > 0;) jobs.push_back(resample_job(box, side, i));
    }
    Samples expected(jobs.size() * each);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      reference::resample_window(part_of(source, jobs[i].frame, area), source_side, jobs[i], side,
                                 part_of(expected, i, each));
    }
    const auto op = [&](auto& samples) {
      resample_windows(*queue_, Array<std::uint16_t>(source), source_side, Array<WindowJob>(jobs),
                       side, samples);
    };
    test::check_op(*queue_, boxes.empty() ? 0 : 1, op, test::Output{expected});
  }
};

TEST_P(WindowsOnDevice, SampleAnySizeAndPlace) {
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 90}, {97, 5}, {211, 160}}) {
    for (const int side : {7, 24, 33, 128}) {
      check_sampling(noise_image(width, height, 9, 3), test::kBoxesAnywhere, side);
    }
  }
  check_sampling(noise_image(20, 20, 9), {}, 32);
}

TEST_P(WindowsOnDevice, ResampleAnySizeAndPlace) {
  const std::vector<BoundingBox> boxes = {{1, 2, 57.9f, 58},
                                          {-20.3f, 4.7f, 77.7f, 31},
                                          {50, 50, 4.5f, 9},
                                          {-90, -80, 20, 30},
                                          {-90, -60, 210, 220}};
  for (const int source_side : {1, 3, 80, 131}) {
    for (const int side : {7, 24, 33}) check_resampling(3, source_side, boxes, side);
  }
  check_resampling(2, 80, {}, 24);
}

// White stays white, up to the largest sums there are.
TEST_P(WindowsOnDevice, Extremes) {
  PaddedImage white(64, 64);
  white.fill([](int, int) { return 255; });
  for (const float side : {1.3f, 100.0f, 4000.0f, 30000.0f}) {
    const BoundingBox box = {-7.3f, -20, side, side};
    EXPECT_EQ(sampled(white.view(), box, 32), Samples(32 * 32, 255 * kGreySamples)) << side;
    check_sampling(white, {box}, 32);
  }
  for (const float step : {0.02f, 1.0f, 2.4f, 31.9f, kMostResampleStep}) {
    const BoundingBox box = {-70.3f, -20, 24 * step, 24 * step};
    EXPECT_EQ(resampled(Samples(80 * 80, 255 * kGreySamples), 80, box, 24),
              Samples(24 * 24, 255 * kGreySamples));
    check_resampling(1, 80, {box}, 24, 255 * kGreySamples);
  }
}

TEST_P(WindowsOnDevice, RejectsNoOrTooManySamples) {
  Array<std::uint16_t> samples;
  const auto resample = [&](std::size_t size, int source_side, int side) {
    resample_windows(*queue_, Array<std::uint16_t>(size), source_side, {}, side, samples);
  };
  for (const int side : {-1, 0, kMostSampleSide + 1}) {
    expect_rejected([&] { sample_windows(*queue_, Plane(), {}, side, samples); });
    expect_rejected([&] { resample(0, side, 24); });
    expect_rejected([&] { resample(0, 80, side); });
  }
  expect_rejected([&] { resample(80 * 80 + 1, 80, 24); });
}

CLTRACK_ON_EVERY_DEVICE(WindowsOnDevice);

}  // namespace
}  // namespace cltrack
