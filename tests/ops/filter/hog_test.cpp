// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/hog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/random.h"

namespace cltrack {
namespace {

using Body = void (*)(std::span<const std::uint16_t>, int, std::span<float>);

class Hog : public testing::TestWithParam<Body> {
 protected:
  // Of a window whose samples are value(x, y).
  template <typename Value>
  static std::vector<float> features(int cells, const Value& value) {
    const int side = cells * kCellSide;
    std::vector<std::uint16_t> samples;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) samples.push_back(static_cast<std::uint16_t>(value(x, y)));
    }
    std::vector<float> result(static_cast<std::size_t>(cells * cells * kHogChannels));
    GetParam()(samples, cells, result);
    return result;
  }
  static float at(const std::vector<float>& features, int cells, int channel, int x, int y) {
    return features[static_cast<std::size_t>((channel * cells + x) * cells + y)];
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, Hog, testing::Values(Body{reference::hog}, Body{vector::hog}),
                         [](const auto& body) { return body.index == 0 ? "reference" : "vector"; });

TEST_P(Hog, AFlatWindowHasItsGreyLevelAlone) {
  const auto flat = features(5, [](int, int) { return 255 * 64; });
  for (int channel = 0; channel < 31; ++channel) EXPECT_EQ(at(flat, 5, channel, 2, 2), 0);
  EXPECT_FLOAT_EQ(at(flat, 5, 31, 2, 2), 0.5f);
}

// A ramp has one gradient everywhere: a cell's four blocks have the same norm, twice its own.
TEST_P(Hog, ARampHasOneDirection) {
  for (int d = 0; d < kHogDirections; ++d) {
    const double angle = d * std::numbers::pi / 9;
    const auto ramp = features(6, [&](int x, int y) {
      return std::lround(8000 + 200 * (std::cos(angle) * x + std::sin(angle) * y));
    });
    for (int channel = 0; channel < kHogDirections; ++channel) {
      EXPECT_FLOAT_EQ(at(ramp, 6, channel, 2, 3), channel == d ? 0.4f : 0) << d;
    }
    for (int channel = 0; channel < 9; ++channel) {
      EXPECT_FLOAT_EQ(at(ramp, 6, 18 + channel, 2, 3), channel == d % 9 ? 0.4f : 0) << d;
    }
    for (int block = 0; block < 4; ++block) {
      EXPECT_FLOAT_EQ(at(ramp, 6, 27 + block, 2, 3), 0.2357f * 0.2f);
    }
  }
}

// An edge between two cells belongs to both alike.
TEST_P(Hog, SharesAnEdgeBetweenCells) {
  const auto edge = features(4, [](int x, int) { return x < 8 ? 1000 : 5000; });
  for (int y = 0; y < 4; ++y) {
    EXPECT_GT(at(edge, 4, 0, 1, y), 0);
    EXPECT_EQ(at(edge, 4, 0, 1, y), at(edge, 4, 0, 2, y));
    EXPECT_EQ(at(edge, 4, 0, 0, y), 0);
    EXPECT_EQ(at(edge, 4, 0, 3, y), 0);
  }
}

TEST(HogBodies, AreEqual) {
  Random random(3);
  for (const int cells : {1, 2, 3, 6, 9, 32}) {
    const auto count = static_cast<std::size_t>(cells * cells);
    for (const std::uint32_t range : {16321u, 200u, 2u}) {
      std::vector<std::uint16_t> samples(count * 16);
      for (std::uint16_t& sample : samples) {
        sample =
            static_cast<std::uint16_t>(range == 2 ? 16320 * random.below(2) : random.below(range));
      }
      std::vector<float> expected(count * kHogChannels), got(count * kHogChannels);
      reference::hog(samples, cells, expected);
      vector::hog(samples, cells, got);
      EXPECT_TRUE(std::ranges::equal(got, expected)) << cells << " " << range;
    }
  }
}

}  // namespace
}  // namespace cltrack
