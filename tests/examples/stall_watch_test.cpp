// SPDX-License-Identifier: LGPL-2.1-or-later
#include "examples/track_video/stall_watch.h"

#include <gtest/gtest.h>

namespace track_video {
namespace {

using std::chrono::seconds;

constexpr StallWatch::Clock::time_point kStart{};

TEST(StallWatch, TellsOnceThatNoFrameCameAtAll) {
  StallWatch watch(seconds(10), kStart);
  EXPECT_FALSE(watch.observe(0, kStart + seconds(9)));
  EXPECT_TRUE(watch.observe(0, kStart + seconds(10)));
  EXPECT_FALSE(watch.observe(0, kStart + seconds(100)));
}

TEST(StallWatch, BeginsAnewWithEachFrame) {
  StallWatch watch(seconds(10), kStart);
  for (int i = 1; i < 5; ++i) {
    EXPECT_FALSE(watch.observe(static_cast<std::uint64_t>(i), kStart + seconds(9 * i)));
  }
  EXPECT_TRUE(watch.observe(4, kStart + seconds(46)));
  EXPECT_FALSE(watch.observe(5, kStart + seconds(47)));
  EXPECT_TRUE(watch.observe(5, kStart + seconds(57)));
}

}  // namespace
}  // namespace track_video
