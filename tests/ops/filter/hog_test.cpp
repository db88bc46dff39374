// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/hog.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/check_op.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using test::part_of;

// Of a window whose samples are value(x, y).
template <typename Value>
std::vector<float> features(int cells, const Value& value) {
  const int side = cells * kCellSide;
  std::vector<std::uint16_t> samples;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) samples.push_back(static_cast<std::uint16_t>(value(x, y)));
  }
  std::vector<float> result(static_cast<std::size_t>(cells * cells * kHogChannels));
  reference::hog(samples, cells, result);
  return result;
}

float at(const std::vector<float>& features, int cells, int channel, int x, int y) {
  return features[static_cast<std::size_t>((channel * cells + x) * cells + y)];
}

TEST(Hog, AFlatWindowHasItsGreyLevelAlone) {
  const auto flat = features(5, [](int, int) { return 255 * 64; });
  for (int channel = 0; channel < 31; ++channel) EXPECT_EQ(at(flat, 5, channel, 2, 2), 0);
  EXPECT_FLOAT_EQ(at(flat, 5, 31, 2, 2), 0.5f);
}

// A ramp has one gradient everywhere: a cell's four blocks have the same norm, twice its own.
TEST(Hog, ARampHasOneDirection) {
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
TEST(Hog, SharesAnEdgeBetweenCells) {
  const auto edge = features(4, [](int x, int) { return x < 8 ? 1000 : 5000; });
  for (int y = 0; y < 4; ++y) {
    EXPECT_GT(at(edge, 4, 0, 1, y), 0);
    EXPECT_EQ(at(edge, 4, 0, 1, y), at(edge, 4, 0, 2, y));
    EXPECT_EQ(at(edge, 4, 0, 0, y), 0);
    EXPECT_EQ(at(edge, 4, 0, 3, y), 0);
  }
}

class HogOnDevice : public test::DeviceTest {
 protected:
  // Samples are less than `range`, each times `unit`.
  void check(std::size_t windows, int cells, std::uint32_t range, int unit = 1) {
    SCOPED_TRACE(std::to_string(windows) + " of " + std::to_string(cells));
    const auto all = static_cast<std::size_t>(cells * cells);
    auto samples = test::random_integers<std::uint16_t>(windows * all * 16, range, windows + range);
    for (auto& sample : samples) sample = static_cast<std::uint16_t>(sample * unit);
    std::vector<float> expected(windows * all * kHogChannels);
    for (std::size_t i = 0; i < windows; ++i) {
      reference::hog(part_of(samples, i, all * 16), cells,
                     part_of(expected, i, all * kHogChannels));
    }
    HogScratch scratch;
    const auto op = [&](auto& features) {
      hog(*queue_, Array<std::uint16_t>(samples), cells, scratch, features);
    };
    test::check_op(*queue_, windows == 0 ? 0 : 2, op, test::Output{expected});
  }
};

TEST_P(HogOnDevice, AnySize) {
  for (const int cells : {1, 2, 3, 6, 9, 32}) {
    for (const std::uint32_t range : {16321u, 200u, 1u}) check(3, cells, range);
    check(1, cells, 2, 16320);
  }
}

TEST_P(HogOnDevice, ManyWindowsAndNone) {
  check(33, 6, 16321);
  check(0, 6, 16321);
}

TEST_P(HogOnDevice, RejectsPartsOfWindows) {
  HogScratch scratch;
  Array<float> features;
  const Array<std::uint16_t> samples(std::size_t{63});
  for (const int cells : {0, 2}) {
    test::expect_rejected([&] { hog(*queue_, samples, cells, scratch, features); });
  }
}

CLTRACK_ON_EVERY_DEVICE(HogOnDevice);

}  // namespace
}  // namespace cltrack
