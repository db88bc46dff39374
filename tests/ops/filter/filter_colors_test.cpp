// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/filter_colors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ops/filter/sample_windows.h"
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
using test::part_of;
using Bins = std::vector<std::uint16_t>;

// `count` samples of so many colours, which lie anywhere among all bins, the last one included.
Bins random_bins(std::size_t count, std::uint32_t colors, std::uint64_t seed) {
  Bins bins = test::random_integers<std::uint16_t>(count, colors, seed);
  for (std::uint16_t& bin : bins) {
    bin = static_cast<std::uint16_t>(kColorBins - 1 - bin * 977 % kColorBins);
  }
  return bins;
}

// Samples of colours.

Bins sampled(const ColorPicture& picture, const BoundingBox& box, int side) {
  Bins bins(static_cast<std::size_t>(side * side));
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
  const Bins bins = sampled(luma_picture(image.view()), {1, 1, 4, 4}, 4);
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
      const Bins bins = sampled(image.picture(), box, 16);
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
  const Bins last = sampled(image.picture(), {far, far, largest, largest}, kMostSampleSide);
  EXPECT_TRUE(std::ranges::all_of(last, [](int bin) { return bin == packed(0, 0, 10); }));
  const Bins first = sampled(image.picture(), {-far, -far, 64, 64}, 4);
  EXPECT_TRUE(std::ranges::all_of(first, [](int bin) { return bin == packed(10, 0, 0); }));
}

class SampleColorsOnDevice : public test::DeviceTest {
 protected:
  // `source`: ColorPlanes, or the Plane of a picture without colours.
  template <typename Source>
  void check(const Source& source, const ColorPicture& picture,
             const std::vector<BoundingBox>& boxes, int side) {
    SCOPED_TRACE(std::to_string(picture.width) + "x" + std::to_string(picture.height) + " " +
                 std::to_string(side));
    std::vector<WindowJob> jobs;
    Bins expected;
    for (const BoundingBox& box : boxes) {
      jobs.push_back(window_job(box, side));
      const Bins own = sampled(picture, box, side);
      expected.insert(expected.end(), own.begin(), own.end());
    }
    const auto op = [&](auto& bins) {
      sample_colors(*queue_, source, Array<WindowJob>(jobs), side, bins);
    };
    test::check_op(*queue_, boxes.empty() ? 0 : 1, op, test::Output{expected});
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
      for (const int side : {7, 33}) check(planes, image.picture(), test::kBoxesAnywhere, side);
    }
  }
}

TEST_P(SampleColorsOnDevice, CopyLumaThatIsThereNoSecondTime) {
  constexpr int kWidth = 640, kHeight = 480;
  ColorImage image(test::color_format("I420"), kWidth, kHeight, 0);
  image.fill_noise(5);
  const ColorPicture picture = image.picture();
  const ColorComponent& first = picture.components[0];
  Plane luma;
  luma.borrow({first.data, kWidth, kHeight, first.stride});
  ColorPlanes planes;
  const auto copied = [&](const Plane* known) {
    if (known != nullptr) {
      planes.borrow(picture, *known);
    } else {
      planes.borrow(picture);
    }
    const std::uint64_t before = queue_->count().bytes_up;
    check(planes, picture, {{100, 90, 40, 60}}, 32);
    return queue_->count().bytes_up - before;
  };
  const std::uint64_t all = copied(nullptr);
  const bool copies = !queue_->is_host() && !queue_->device().is_zero_copy();
  if (copies) luma.pixels.device_read(*queue_);
  EXPECT_EQ(all - copied(&luma), copies ? kWidth * kHeight : 0);
  const auto other = test::noise_image(kWidth, kHeight, 9, 0);
  luma.borrow(other.view());
  EXPECT_EQ(copied(&luma), all);
}

TEST_P(SampleColorsOnDevice, BottomUpPictures) {
  ColorImage image(color_formats()[9], 50, 40, 2);
  image.fill_noise(4);
  const ColorPicture flipped = test::bottom_up(image.picture());
  ColorPlanes planes;
  planes.borrow(flipped);
  check(planes, flipped, test::kBoxesAnywhere, 128);
}

TEST_P(SampleColorsOnDevice, PicturesWithoutColour) {
  for (const auto& [width, height] : {std::pair{1, 1}, {97, 5}, {211, 160}}) {
    const auto image = test::noise_image(width, height, 9, 3);
    Plane plane;
    plane.borrow(image.view());
    for (const int side : {7, 128})
      check(plane, luma_picture(image.view()), test::kBoxesAnywhere, side);
    check(plane, luma_picture(image.view()), {}, 32);
  }
}

TEST_P(SampleColorsOnDevice, RejectsWhatItCannotDo) {
  const ColorImage image(color_formats()[0], 20, 20);
  ColorPlanes planes;
  Plane plane;
  Array<std::uint16_t> bins;
  const auto expect_both_rejected = [&](int side) {
    expect_rejected([&] { sample_colors(*queue_, planes, {}, side, bins); });
    expect_rejected([&] { sample_colors(*queue_, plane, {}, side, bins); });
  };
  expect_both_rejected(32);  // no picture
  planes.borrow(image.picture());
  plane.resize(20, 20);
  for (const int side : {-1, 0, kMostSampleSide + 1}) expect_both_rejected(side);
}

CLTRACK_ON_EVERY_DEVICE(SampleColorsOnDevice);

// Histograms of the colours of target and background.

constexpr std::size_t kShares = 2 * kColorBins;

struct Colors {
  std::vector<float> shares = std::vector<float>(kShares, std::nanf(""));
  std::vector<std::uint16_t> likelihoods = std::vector<std::uint16_t>(kColorBins, 7);

  void learn(const Bins& bins, const ColorLearnJob& job) {
    const auto side = static_cast<int>(std::lround(std::sqrt(bins.size())));
    reference::learn_colors(bins, side, job, shares, likelihoods);
  }
  float target(std::size_t bin) const { return shares[bin]; }
  float background(std::size_t bin) const { return shares[kColorBins + bin]; }
  friend bool operator==(const Colors&, const Colors&) = default;
};

// Inner rectangle, outer rectangle: left, top, right, bottom.
ColorLearnJob job_of(float rate, std::array<int, 4> inner, std::array<int, 4> outer) {
  return {0,        0,        inner[0], inner[1], inner[2], inner[3],
          outer[0], outer[1], outer[2], outer[3], rate};
}

// The inner rectangle is the 4 samples of the middle, the ring around it belongs to neither.
const Bins kWindow = {1, 1, 1, 1, 1, 2,  //
                      1, 9, 9, 9, 9, 2,  //
                      1, 9, 5, 2, 9, 2,  //
                      1, 9, 5, 5, 9, 2,  //
                      1, 9, 9, 9, 9, 2,  //
                      3, 3, 3, 3, 3, 3};

ColorLearnJob middle(float rate) { return job_of(rate, {2, 2, 4, 4}, {1, 1, 5, 5}); }

TEST(LearnColors, CountsSharesOfTargetAndBackground) {
  Colors colors;
  colors.learn(kWindow, middle(1));
  EXPECT_EQ(colors.target(5), 0.75f);
  EXPECT_EQ(colors.target(2), 0.25f);
  EXPECT_FLOAT_EQ(colors.background(1), 9 / 20.0f);
  EXPECT_FLOAT_EQ(colors.background(2), 5 / 20.0f);
  EXPECT_FLOAT_EQ(colors.background(3), 6 / 20.0f);
  for (const std::size_t bin : {0, 9, 1, 3, kColorBins - 1}) EXPECT_EQ(colors.target(bin), 0);
  for (const std::size_t bin : {0, 9, 5, kColorBins - 1}) EXPECT_EQ(colors.background(bin), 0);
  EXPECT_EQ(colors.likelihoods[5], 65535);
  EXPECT_EQ(colors.likelihoods[2], 32768);
  for (const std::size_t bin : {0, 9, 1, 3, kColorBins - 1}) EXPECT_EQ(colors.likelihoods[bin], 0);
}

TEST(LearnColors, FollowsWindowsAtARate) {
  Colors colors;
  colors.learn(kWindow, middle(1));
  Bins next(36, 3);
  next[14] = next[15] = next[20] = next[21] = 2;
  colors.learn(next, middle(0.25f));
  EXPECT_EQ(colors.target(5), 0.5625f);
  EXPECT_EQ(colors.target(2), 0.4375f);
  EXPECT_FLOAT_EQ(colors.background(2), 0.1875f);
  EXPECT_FLOAT_EQ(colors.background(3), 0.225f + 0.25f);
  EXPECT_EQ(colors.likelihoods[2], 45875);  // 0.7 * 65535 = 45874.5
  const Colors before = colors;
  colors.learn(kWindow, middle(0));
  EXPECT_TRUE(colors == before);
}

TEST(LearnColors, ARateOfOneForgetsAll) {
  Colors of_nothing, of_others;
  std::ranges::fill(of_others.shares, INFINITY);
  of_nothing.learn(kWindow, middle(1));
  of_others.learn(kWindow, middle(1));
  EXPECT_TRUE(of_nothing == of_others);
}

TEST(LearnColors, RegionsWithoutSamplesHaveNoShares) {
  Colors colors;
  colors.learn(kWindow, job_of(1, {3, 3, 3, 5}, {0, 0, 6, 6}));
  EXPECT_EQ(colors.shares, std::vector<float>(kShares));
  EXPECT_EQ(colors.likelihoods, std::vector<std::uint16_t>(kColorBins));
  // Also those whose edges are the wrong way round.
  colors.learn(kWindow, job_of(1, {4, 0, 2, 6}, {5, 5, 1, 1}));
  EXPECT_EQ(colors.target(5), 0);
  EXPECT_FLOAT_EQ(colors.background(5), 3 / 36.0f);
}

TEST(LearnColors, CutsRectanglesOffAtTheWindow) {
  Colors colors, expected;
  colors.learn(kWindow, job_of(1, {4, -5, 90, 2}, {-3, 3, 4, 100}));
  expected.learn(kWindow, job_of(1, {4, 0, 6, 2}, {0, 3, 4, 6}));
  EXPECT_TRUE(colors == expected);
  EXPECT_EQ(colors.target(2), 0.5f);
  EXPECT_FLOAT_EQ(colors.background(9), 8 / 24.0f);
}

// Before numbers get so small that processors differ.
TEST(LearnColors, SmallSharesVanish) {
  Colors colors;
  std::ranges::fill(colors.shares, 0);
  colors.shares[4] = 3e-20f;
  colors.learn(kWindow, middle(0.5f));
  EXPECT_FLOAT_EQ(colors.target(4), 1.5e-20f);
  EXPECT_EQ(colors.likelihoods[4], 65535);
  colors.learn(kWindow, middle(0.5f));
  EXPECT_EQ(colors.target(4), 0);
  EXPECT_EQ(colors.likelihoods[4], 0);
}

TEST(LearnColors, CountsTheLargestWindow) {
  Colors colors;
  colors.learn(Bins(65536, kColorBins - 1), job_of(1, {0, 0, 256, 256}, {0, 0, 0, 0}));
  EXPECT_EQ(colors.target(kColorBins - 1), 1);
  EXPECT_EQ(colors.background(kColorBins - 1), 1);
  EXPECT_EQ(colors.likelihoods[kColorBins - 1], 32768);
}

class LearnColorsOnDevice : public test::DeviceTest {
 protected:
  static constexpr std::size_t kSlots = 5;

  // A call after another, on what the one before has left.
  void check(int side, std::uint32_t colors) {
    SCOPED_TRACE(std::to_string(side) + " " + std::to_string(colors));
    std::vector<float> histograms(kSlots * kShares, std::nanf("7"));
    std::vector<std::uint16_t> likelihoods(kSlots * kColorBins, 99);
    // Some of slot 1 are about to vanish.
    for (std::size_t i = 0; i < kShares; ++i) {
      histograms[kShares + i] = 1e-20f * static_cast<float>(i % 7 % 4);
    }
    const int third = side / 3;
    const ColorLearnJob inside = {
        0, 3, third, third, side - third, side - third, third / 2, third / 2, side - 1, side, 1};
    const ColorLearnJob beyond = {2,     0,  -4,       third,     side + 9, side,
                                  third, -1, side + 1, third + 1, 1};
    const ColorLearnJob empty = {1, 4, 5, 5, 5, 9, 0, 0, side, side, 1};
    ColorLearnJob faint = inside;
    faint.slot = 1;
    struct Call {
      float rate;
      std::vector<ColorLearnJob> jobs;
    };
    const auto area = static_cast<std::size_t>(side * side);
    std::uint64_t seed = 0;
    for (const Call& call : {Call{1, {inside, beyond, empty}},
                             {0.07f, {beyond, inside, faint}},
                             {0.9f, {inside}},
                             {1e-9f, {inside, beyond}},
                             {0.07f, {empty}},
                             {0.07f, {}}}) {
      std::vector<ColorLearnJob> jobs = call.jobs;
      const Bins bins = random_bins(3 * area, colors, ++seed);
      const auto shares_before = histograms;
      const auto likelihoods_before = likelihoods;
      for (ColorLearnJob& job : jobs) {
        job.rate = call.rate;
        reference::learn_colors(part_of(bins, job.window, area), side, job,
                                part_of(histograms, job.slot, kShares),
                                part_of(likelihoods, job.slot, kColorBins));
      }
      const auto op = [&](auto& shares, auto& all_likelihoods) {
        learn_colors(*queue_, Array<std::uint16_t>(bins), side, Array<ColorLearnJob>(jobs), shares,
                     all_likelihoods);
      };
      test::check_op(*queue_, jobs.empty() ? 0 : 1, op, test::Output{histograms, shares_before},
                     test::Output{likelihoods, likelihoods_before});
    }
  }
};

TEST_P(LearnColorsOnDevice, AnySizeAndColours) {
  for (const int side : {1, 5, 33}) {
    for (const std::uint32_t colors : {1u, 30u, 32768u}) check(side, colors);
  }
  check(128, 30);
}

TEST_P(LearnColorsOnDevice, Extremes) { check(kMostSampleSide, 1); }

TEST_P(LearnColorsOnDevice, RejectsWhatIsNotThere) {
  const ColorLearnJob good = {1, 4, 0, 0, 4, 4, 0, 0, 8, 8, 1};
  const Array<std::uint16_t> bins(std::size_t{2 * 64});
  Array<float> histograms(kSlots * kShares);
  Array<std::uint16_t> likelihoods(kSlots * kColorBins);
  const auto expect_job_rejected = [&](auto member, auto value, int side = 8) {
    ColorLearnJob job = good;
    job.*member = value;
    const Array<ColorLearnJob> jobs(std::span(&job, 1));
    expect_rejected([&] { learn_colors(*queue_, bins, side, jobs, histograms, likelihoods); });
  };
  for (const int side : {-1, 0, kMostSampleSide + 1}) {
    expect_job_rejected(&ColorLearnJob::slot, 4, side);
  }
  for (const int window : {-1, 2}) expect_job_rejected(&ColorLearnJob::window, window);
  for (const int slot : {-1, 5}) expect_job_rejected(&ColorLearnJob::slot, slot);
  for (const float rate : {-0.1f, 1.1f, std::nanf("")}) {
    expect_job_rejected(&ColorLearnJob::rate, rate);
  }
}

CLTRACK_ON_EVERY_DEVICE(LearnColorsOnDevice);

// How much boxes look like the target.

constexpr std::uint16_t kOwn = 1234;  // the target's colour

// To a window with a box of the target's colour.
std::vector<float> responses_to(int side, const std::array<int, 4>& box, int width, int height) {
  Bins bins(static_cast<std::size_t>(side * side));
  for (int y = box[1]; y < box[1] + box[3]; ++y) {
    for (int x = box[0]; x < box[0] + box[2]; ++x) {
      bins[static_cast<std::size_t>(y * side + x)] = kOwn;
    }
  }
  std::vector<std::uint16_t> likelihoods(kColorBins);
  likelihoods[kOwn] = 65535;
  std::vector<float> result(kColorResponses);
  reference::color_response(bins, side, color_response_job(0, 0, width, height, side), likelihoods,
                            result);
  return result;
}

TEST(ColorResponse, IsOneWhereTheTargetIs) {
  // In cells of 2 samples, 3 to the right and 5 up.
  const auto found = responses_to(64, {32 + 6 - 5, 32 - 10 - 3, 10, 6}, 10, 6);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == 3 * 32 + 27) {
      EXPECT_FLOAT_EQ(found[i], 1);
    } else {
      EXPECT_LT(found[i], 0.9f) << i;
    }
  }
  EXPECT_FLOAT_EQ(found[4 * 32 + 27], 0.8f);      // two of ten columns further
  EXPECT_FLOAT_EQ(found[3 * 32 + 26], 4 / 6.0f);  // two of six rows up
  EXPECT_EQ(found[0], 0);
}

TEST(ColorResponse, LargerHalvesOfOddBoxesAreBelowAndToTheRight) {
  const auto found = responses_to(128, {64 - 3, 64 - 10, 7, 21}, 7, 21);
  EXPECT_FLOAT_EQ(found[0], 1);
  EXPECT_FLOAT_EQ(found[1 * 32], 3 / 7.0f);
  EXPECT_FLOAT_EQ(found[31 * 32], 3 / 7.0f);
}

TEST(ColorResponse, NothingIsBeyondTheWindow) {
  for (const int side : {32, 256}) {
    const auto found = responses_to(side, {0, 0, side, side}, side, side);
    EXPECT_FLOAT_EQ(found[0], 1);
    EXPECT_FLOAT_EQ(found[16 * 32], 0.5f);   // -16
    EXPECT_FLOAT_EQ(found[15], 17 / 32.0f);  // 15
    EXPECT_FLOAT_EQ(found[16 * 32 + 16], 0.25f);
  }
}

TEST(ColorResponseJobOf, RejectsBoxesLargerThanTheWindowAndEmptyOnes) {
  for (const auto& box : {std::pair{0, 5}, {5, 0}, {-1, 5}, {65, 5}, {5, 65}}) {
    expect_rejected([&] { color_response_job(0, 0, box.first, box.second, 64); });
  }
}

class ColorResponseOnDevice : public test::DeviceTest {
 protected:
  static constexpr std::size_t kSlots = 3;

  // `lowest`: of the likelihoods.
  void check(int side, std::uint32_t lowest, const std::vector<ColorResponseJob>& jobs) {
    SCOPED_TRACE(std::to_string(side) + " " + std::to_string(jobs.size()));
    Bins likelihoods = test::random_integers<std::uint16_t>(kSlots * kColorBins, 65536 - lowest, 5);
    for (auto& value : likelihoods) value = static_cast<std::uint16_t>(lowest + value);
    const auto area = static_cast<std::size_t>(side * side);
    const Bins bins = random_bins(2 * area, 32768, 8);
    std::vector<float> expected(jobs.size() * kColorResponses);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      reference::color_response(part_of(bins, jobs[i].window, area), side, jobs[i],
                                part_of(likelihoods, jobs[i].slot, kColorBins),
                                part_of(expected, i, kColorResponses));
    }
    const auto op = [&](auto& responses) {
      color_response(*queue_, Array<std::uint16_t>(bins), side, Array<ColorResponseJob>(jobs),
                     Array<std::uint16_t>(likelihoods), responses);
    };
    test::check_op(*queue_, jobs.empty() ? 0 : 1, op, test::Output{expected});
  }
};

TEST_P(ColorResponseOnDevice, AnySizeOfWindowsAndBoxes) {
  for (const int side : {32, 64, 96, 128, 224}) {
    check(side, 0,
          {color_response_job(1, 2, 7, 20, side), color_response_job(0, 0, 1, 1, side),
           color_response_job(0, 1, side, 3, side), color_response_job(1, 0, 2, side - 1, side),
           color_response_job(1, 1, 31, 20, side)});
  }
  check(32, 0, {});
}

TEST_P(ColorResponseOnDevice, Extremes) {
  check(kMostSampleSide, 65535, {color_response_job(1, 1, 256, 256, 256)});
}

TEST_P(ColorResponseOnDevice, RejectsWhatIsNotThere) {
  const Array<std::uint16_t> bins(std::size_t{2 * 32 * 32}), likelihoods(kSlots * kColorBins);
  Array<float> responses;
  const auto expect_job_rejected = [&](int side, const ColorResponseJob& job) {
    const Array<ColorResponseJob> jobs(std::span(&job, 1));
    expect_rejected([&] { color_response(*queue_, bins, side, jobs, likelihoods, responses); });
  };
  for (const int side : {-32, 0, 16, 33, 288}) {
    expect_job_rejected(side, color_response_job(1, 2, 5, 5, 32));
  }
  for (const int window : {-1, 2}) {
    expect_job_rejected(32, color_response_job(window, 0, 5, 5, 32));
  }
  for (const int slot : {-1, 3}) expect_job_rejected(32, color_response_job(0, slot, 5, 5, 32));
}

CLTRACK_ON_EVERY_DEVICE(ColorResponseOnDevice);

}  // namespace
}  // namespace cltrack
