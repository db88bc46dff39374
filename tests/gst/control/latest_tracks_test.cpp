// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/latest_tracks.h"

#include <gtest/gtest.h>

#include <limits>

namespace cltrack {
namespace {

Track track(std::uint64_t id, const BoundingBox& box, TrackState state = TrackState::tracking) {
  Track result;
  result.id = id;
  result.label = "label " + std::to_string(id);
  result.box = box;
  result.state = state;
  return result;
}

TEST(LatestTracks, TheSmallestAtAPoint) {
  gst::LatestTracks latest;
  latest.set(std::vector{track(3, {0, 0, 100, 100}), track(5, {10, 10, 20, 20}),
                         track(7, {0, 0, 50, 50})});
  ASSERT_TRUE(latest.at({15, 15}));
  EXPECT_EQ(latest.at({15, 15})->id, 5u);
  EXPECT_EQ(latest.at({15, 15})->label, "label 5");
  EXPECT_EQ(latest.at({40, 40})->id, 7u);
  EXPECT_EQ(latest.at({60, 60})->id, 3u);
}

TEST(LatestTracks, EdgesAsBoxesHaveThem) {
  gst::LatestTracks latest;
  latest.set(std::vector{track(1, {10, 20, 30, 40})});
  EXPECT_TRUE(latest.at({10, 20}));
  EXPECT_TRUE(latest.at({39.9, 59.9}));
  EXPECT_FALSE(latest.at({40, 30}));
  EXPECT_FALSE(latest.at({20, 60}));
  EXPECT_FALSE(latest.at({9.9, 30}));
  EXPECT_FALSE(latest.at({std::numeric_limits<double>::quiet_NaN(), 30}));
}

TEST(LatestTracks, WhatIsGoneOrLostIsNotThere) {
  gst::LatestTracks latest;
  latest.set(std::vector{track(1, {0, 0, 30, 40}), track(2, {0, 0, 90, 90}),
                         track(3, {}, TrackState::lost)});
  EXPECT_FALSE(latest.at({0, 95}));
  latest.remove(1);
  latest.remove(9);
  EXPECT_EQ(latest.at({5, 5})->id, 2u);
  latest.clear();
  EXPECT_FALSE(latest.at({5, 5}));
}

}  // namespace
}  // namespace cltrack
