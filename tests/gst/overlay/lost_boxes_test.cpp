// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/lost_boxes.h"

#include <gtest/gtest.h>

namespace cltrack::gst {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kFrame = 40'000'000;

TrackRegion track(int id, float x = 10, const char* label = "thing") {
  TrackRegion region;
  region.id = id;
  region.label = label;
  region.box = {x, 20, 30, 40};
  region.confidence = 0.5f;
  region.state = TrackState::tracking;
  return region;
}

TrackRegion bare(int id) {
  TrackRegion region = track(id);
  region.confidence.reset();
  region.state.reset();
  return region;
}

class LostBoxesTest : public ::testing::Test {
 protected:
  std::vector<TrackRegion> at(std::uint64_t time, const std::vector<TrackRegion>& regions,
                              std::uint64_t lost_time = kSecond) {
    return boxes_.update(regions, {time, kFrame}, lost_time);
  }
  LostBoxes boxes_;
};

TEST_F(LostBoxesTest, LastBoxIsShownForTheTimeAndNoLonger) {
  EXPECT_TRUE(at(0, {track(1, 10)}).empty());
  EXPECT_TRUE(at(kFrame, {track(1, 15)}).empty());
  const auto lost = at(2 * kFrame, {});
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].id, 1);
  EXPECT_EQ(lost[0].label, "thing");
  EXPECT_EQ(lost[0].state, TrackState::lost);
  EXPECT_FALSE(lost[0].confidence);
  EXPECT_EQ(lost[0].box.x, 15);
  EXPECT_EQ(at(kFrame + kSecond, {}).size(), 1u);
  EXPECT_TRUE(at(kFrame + kSecond + 1, {}).empty());
  EXPECT_TRUE(at(kFrame, {}).empty()) << "what is forgotten stays so";
}

TEST_F(LostBoxesTest, WhatComesBackIsNotLost) {
  at(0, {track(1), track(2)});
  EXPECT_EQ(at(kFrame, {track(2)}).size(), 1u);
  EXPECT_TRUE(at(2 * kFrame, {track(1), track(2)}).empty());
}

TEST_F(LostBoxesTest, ZeroShowsNothingAndForgets) {
  at(0, {track(1)});
  EXPECT_TRUE(at(kFrame, {}, 0).empty());
  EXPECT_TRUE(at(2 * kFrame, {}).empty());
}

TEST_F(LostBoxesTest, TimeMayRunBackwards) {
  at(2 * kSecond, {track(1)});
  EXPECT_EQ(at(kSecond, {}).size(), 1u);
  EXPECT_TRUE(at(kSecond - 1, {}).empty());
}

TEST_F(LostBoxesTest, FramesWithoutTimeCountAsOneDuration) {
  boxes_.update(std::vector{track(1)}, {std::nullopt, kSecond / 2}, kSecond);
  EXPECT_EQ(boxes_.update({}, {std::nullopt, kSecond / 2}, kSecond).size(), 1u);
  EXPECT_EQ(boxes_.update({}, {std::nullopt, kSecond / 2}, kSecond).size(), 1u);
  EXPECT_TRUE(boxes_.update({}, {std::nullopt, kSecond / 2}, kSecond).empty());
}

TEST_F(LostBoxesTest, WithoutAnyTimeNothingIsRemembered) {
  boxes_.update(std::vector{track(1)}, {std::nullopt, 0}, kSecond);
  EXPECT_TRUE(boxes_.update({}, {std::nullopt, 0}, kSecond).empty());
}

TEST_F(LostBoxesTest, DetectionsOfOthersAreNotLost) {
  TrackRegion detection = bare(7);
  detection.confidence = 0.9f;
  at(0, {detection, bare(0), bare(-1)});
  at(kFrame, {detection, bare(0), bare(-1)});
  EXPECT_TRUE(at(2 * kFrame, {}).empty());
}

TEST_F(LostBoxesTest, NumbersThatChangeWithEveryFrameAreNotLost) {
  for (int id = 1; id < 20; ++id) {
    EXPECT_TRUE(at(kFrame * static_cast<std::uint64_t>(id), {bare(id)}).empty());
  }
}

TEST_F(LostBoxesTest, TrackBehindAConverterIsLost) {
  at(0, {bare(3)});
  at(kFrame, {bare(3)});
  EXPECT_EQ(at(2 * kFrame, {}).size(), 1u);
}

TEST_F(LostBoxesTest, SameIdUnderAnotherLabelIsAnotherTrack) {
  at(0, {track(1, 0, "a"), track(1, 50, "b")});
  const auto lost = at(kFrame, {track(1, 0, "a")});
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].label, "b");
}

TEST_F(LostBoxesTest, EachTrackerHasItsOwnIds) {
  TrackRegion one = track(1), other = track(1, 50);
  one.tracker = "a";
  other.tracker = "b";
  at(0, {one, other});
  const auto lost = at(40, {one});
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].tracker, "b");
  boxes_.forget(other.key());
  EXPECT_TRUE(at(80, {one}).empty());
}

TEST_F(LostBoxesTest, RescaleMovesWhatIsRemembered) {
  at(0, {track(1, 10)});
  boxes_.rescale(2, 0.5);
  const auto lost = at(kFrame, {});
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].box, (BoundingBox{20, 10, 60, 20}));
}

TEST_F(LostBoxesTest, ResetForgets) {
  at(0, {track(1)});
  boxes_.reset();
  EXPECT_TRUE(at(kFrame, {}).empty());
}

TEST_F(LostBoxesTest, MemoryIsBounded) {
  for (int id = 1; id < 5000; ++id) {
    const auto lost = at(kFrame * static_cast<std::uint64_t>(id), {track(id)}, ~std::uint64_t{0});
    ASSERT_LE(lost.size(), 256u);
  }
}

}  // namespace
}  // namespace cltrack::gst
