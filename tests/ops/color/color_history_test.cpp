// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_history.h"

#include <gtest/gtest.h>

#include "cltrack/error.h"
#include "ops/color/color_sums.h"
#include "support/devices.h"

namespace cltrack {
namespace {

// Object i of frame f, by its place; `count` 0 for none.
ColorSum sum_of(int object, int frame, std::uint64_t count = 10) {
  if (count == 0) return kNoColorSum;
  return {.count = count,
          .sum_x = count * static_cast<std::uint64_t>(100 * object + frame),
          .sum_y = count * static_cast<std::uint64_t>(object),
          .left = 0,
          .top = 0,
          .right = 1,
          .bottom = 1};
}

std::vector<TrackPoint> trail(ColorHistory& history, int object, std::uint64_t minimum_area = 1) {
  std::vector<TrackPoint> points;
  append_trail(history, history.ring.host_read(), object, minimum_area, points);
  return points;
}

class ColorHistoryOnDevice : public test::DeviceTest {
 protected:
  void add(ColorHistory& history, const std::vector<ColorSum>& sums) {
    Array<ColorSum> array{std::span<const ColorSum>(sums)};
    color_history(*queue_, array, history);
  }
};

TEST_P(ColorHistoryOnDevice, KeepsTheLatestFramesOfEachObject) {
  constexpr int kObjects = 37, kLength = 5;
  ColorHistory history;
  history.reset(kObjects, kLength);
  EXPECT_TRUE(trail(history, 0).empty());
  for (int frame = 0; frame < 13; ++frame) {
    std::vector<ColorSum> sums;
    for (int object = 0; object < kObjects; ++object) sums.push_back(sum_of(object, frame));
    add(history, sums);
    for (const int object : {0, 1, kObjects - 1}) {
      std::vector<TrackPoint> expected;
      for (int f = std::max(0, frame - kLength + 1); f <= frame; ++f) {
        expected.push_back({static_cast<float>(100 * object + f), static_cast<float>(object)});
      }
      EXPECT_EQ(trail(history, object), expected) << object << " at " << frame;
    }
  }
  history.reset(2, 3);
  EXPECT_TRUE(trail(history, 0).empty());
}

TEST_P(ColorHistoryOnDevice, TrailsEndAtGaps) {
  ColorHistory history;
  history.reset(2, 8);
  for (const std::uint64_t count : {10, 10, 0, 10, 5, 10}) {
    add(history, {sum_of(0, 7, count), sum_of(1, 7)});
  }
  EXPECT_EQ(trail(history, 0).size(), 3u);
  EXPECT_EQ(trail(history, 0, 6).size(), 1u) << "too few pixels are a gap";
  EXPECT_EQ(trail(history, 1).size(), 6u);
  add(history, {sum_of(0, 7, 0), sum_of(1, 7)});
  EXPECT_TRUE(trail(history, 0).empty());
}

TEST_P(ColorHistoryOnDevice, RejectsWhatDoesNotFit) {
  ColorHistory history;
  Array<ColorSum> sums(2);
  EXPECT_THROW(color_history(*queue_, sums, history), Error);
  history.reset(3, 4);
  EXPECT_THROW(color_history(*queue_, sums, history), Error);
}

CLTRACK_ON_EVERY_DEVICE(ColorHistoryOnDevice);

}  // namespace
}  // namespace cltrack
