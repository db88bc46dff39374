// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/analytics_meta.h"

#include <gtest/gtest.h>

namespace cltrack {
namespace {

using gst::TrackTimes;

std::vector<Track> tracks(std::initializer_list<std::uint64_t> ids,
                          TrackState state = TrackState::tracking) {
  std::vector<Track> all;
  for (const std::uint64_t id : ids) {
    all.push_back({.id = id, .label = "car", .box = {1, 2, 30, 40}, .state = state});
  }
  return all;
}

TEST(TrackTimes, FirstStaysAndLastGoesOn) {
  TrackTimes times;
  times.see(tracks({1}), 10);
  times.see(tracks({1, 2}), 20);
  times.see(tracks({1, 2}), 30);
  EXPECT_EQ(times.of(1).first, 10u);
  EXPECT_EQ(times.of(1).last, 30u);
  EXPECT_EQ(times.of(2).first, 20u);
}

TEST(TrackTimes, ALostTrackWasSeenBefore) {
  TrackTimes times;
  times.see(tracks({1}), 10);
  times.see(tracks({1}, TrackState::uncertain), 20);
  times.see(tracks({1}, TrackState::lost), 30);
  EXPECT_EQ(times.of(1).first, 10u);
  EXPECT_EQ(times.of(1).last, 20u);
  times.see(tracks({1}), 40);
  EXPECT_EQ(times.of(1).first, 10u);
  EXPECT_EQ(times.of(1).last, 40u);
}

TEST(TrackTimes, WhoWasNeverSeenHasNoTimes) {
  TrackTimes times;
  times.see(tracks({1}, TrackState::lost), 10);
  EXPECT_EQ(times.of(1).first, GST_CLOCK_TIME_NONE);
  EXPECT_EQ(times.of(1).last, GST_CLOCK_TIME_NONE);
  EXPECT_EQ(times.of(7).first, GST_CLOCK_TIME_NONE);
}

TEST(TrackTimes, WhoEndsIsForgotten) {
  TrackTimes times;
  times.see(tracks({1, 2}), 10);
  times.see(tracks({2}), 20);
  EXPECT_EQ(times.of(1).first, GST_CLOCK_TIME_NONE);
  EXPECT_EQ(times.of(2).first, 10u);
  times.see({}, 30);
  EXPECT_EQ(times.of(2).first, GST_CLOCK_TIME_NONE);
}

TEST(TrackTimes, PicturesWithoutATimeLeaveThemAlone) {
  TrackTimes times;
  times.see(tracks({1}), GST_CLOCK_TIME_NONE);
  EXPECT_EQ(times.of(1).first, GST_CLOCK_TIME_NONE);
  times.see(tracks({1}), 20);
  times.see(tracks({1}), GST_CLOCK_TIME_NONE);
  EXPECT_EQ(times.of(1).first, 20u);
  EXPECT_EQ(times.of(1).last, 20u);
}

TEST(TrackTimes, RunningTimeThatBeginsAnewLeavesNothingInTheFuture) {
  TrackTimes times;
  times.see(tracks({1, 2}), 1000);
  std::vector<Track> after = tracks({1, 2});
  after[1].state = TrackState::lost;
  times.see(after, 0);
  EXPECT_EQ(times.of(1).first, 0u);
  EXPECT_EQ(times.of(1).last, 0u);
  EXPECT_EQ(times.of(2).last, GST_CLOCK_TIME_NONE);
}

TEST(TrackTimes, ResetForgetsAll) {
  TrackTimes times;
  times.see(tracks({1}), 1000);
  times.reset();
  EXPECT_EQ(times.of(1).first, GST_CLOCK_TIME_NONE);
}

}  // namespace
}  // namespace cltrack
