// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/filter_colors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ops/filter/sample_windows.h"
#include "support/color_bins.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using Body = void (*)(std::span<const std::uint16_t>, int, const ColorResponseJob&,
                      std::span<const std::uint16_t>, std::span<float>);

constexpr std::uint16_t kOwn = 1234;  // the target's colour

class ColorResponse : public testing::TestWithParam<Body> {
 protected:
  ColorResponse() { likelihoods_[kOwn] = 65535; }

  std::vector<float> responses(const std::vector<std::uint16_t>& bins, int side, int width,
                               int height) const {
    std::vector<float> result(kColorResponses);
    GetParam()(bins, side, color_response_job(0, 0, width, height, side), likelihoods_, result);
    return result;
  }
  // A window with a box of the target's colour.
  static std::vector<std::uint16_t> window(int side, int left, int top, int width, int height) {
    std::vector<std::uint16_t> bins(static_cast<std::size_t>(side * side));
    for (int y = top; y < top + height; ++y) {
      for (int x = left; x < left + width; ++x) bins[static_cast<std::size_t>(y * side + x)] = kOwn;
    }
    return bins;
  }

  std::vector<std::uint16_t> likelihoods_ = std::vector<std::uint16_t>(kColorBins);
};

INSTANTIATE_TEST_SUITE_P(Bodies, ColorResponse,
                         testing::Values(Body{reference::color_response},
                                         Body{vector::color_response}),
                         [](const auto& body) { return body.index == 0 ? "reference" : "vector"; });

TEST_P(ColorResponse, IsOneWhereTheTargetIs) {
  // In cells of 2 samples, 3 to the right and 5 up.
  const auto found = responses(window(64, 32 + 6 - 5, 32 - 10 - 3, 10, 6), 64, 10, 6);
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

TEST_P(ColorResponse, LargerHalvesOfOddBoxesAreBelowAndToTheRight) {
  const auto found = responses(window(128, 64 - 3, 64 - 10, 7, 21), 128, 7, 21);
  EXPECT_FLOAT_EQ(found[0], 1);
  EXPECT_FLOAT_EQ(found[1 * 32], 3 / 7.0f);
  EXPECT_FLOAT_EQ(found[31 * 32], 3 / 7.0f);
}

TEST_P(ColorResponse, NothingIsBeyondTheWindow) {
  const auto found = responses(window(32, 0, 0, 32, 32), 32, 32, 32);
  EXPECT_FLOAT_EQ(found[0], 1);
  EXPECT_FLOAT_EQ(found[16 * 32], 0.5f);   // -16
  EXPECT_FLOAT_EQ(found[15], 17 / 32.0f);  // 15
  EXPECT_FLOAT_EQ(found[16 * 32 + 16], 0.25f);
}

TEST_P(ColorResponse, SumsOfTheLargestBoxFit) {
  const auto found = responses(window(256, 0, 0, 256, 256), 256, 256, 256);
  EXPECT_FLOAT_EQ(found[0], 1);
  EXPECT_FLOAT_EQ(found[16 * 32 + 16], 0.25f);
}

TEST(ColorResponseBodies, AreEqual) {
  Random random(5);
  std::vector<std::uint16_t> likelihoods(kColorBins);
  for (auto& value : likelihoods) value = static_cast<std::uint16_t>(random.below(65536));
  for (const int side : {32, 96, 128}) {
    const auto bins = test::random_bins(static_cast<std::size_t>(side * side), 32768, 2);
    for (const auto& [width, height] : {std::pair{1, 1}, {side, 3}, {7, side}, {31, 20}}) {
      const ColorResponseJob job = color_response_job(0, 0, width, height, side);
      std::vector<float> expected(kColorResponses), got(kColorResponses);
      reference::color_response(bins, side, job, likelihoods, expected);
      vector::color_response(bins, side, job, likelihoods, got);
      EXPECT_TRUE(std::ranges::equal(got, expected)) << side << " " << width << "x" << height;
    }
  }
}

TEST(ColorResponseJobOf, RejectsBoxesLargerThanTheWindowAndEmptyOnes) {
  for (const auto& box : {std::pair{0, 5}, {5, 0}, {-1, 5}, {65, 5}, {5, 65}}) {
    const auto call = [&] { color_response_job(0, 0, box.first, box.second, 64); };
    EXPECT_EQ(test::error_of(call).code(), ErrorCode::invalid_argument);
  }
}

}  // namespace
}  // namespace cltrack
