// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/track_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace cltrack::gst {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = TrackChange::Kind;

TrackRegion region(int id, TrackState state = TrackState::tracking) {
  return {.id = id,
          .label = "car",
          .box = {1, 2, 30, 40},
          .confidence = 0.5f,
          .state = state,
          .tracker = "a"};
}

TrackRegion region_of(const char* tracker, int id) {
  TrackRegion result = region(id);
  result.tracker = tracker;
  return result;
}

RemovedTrack removed(const char* tracker) { return {{tracker, 1}, {"", 1, "car"}}; }

// "2 update lost" and so on.
std::vector<std::string> texts(const std::vector<TrackChange>& changes) {
  std::vector<std::string> texts;
  for (const TrackChange& change : changes) {
    std::string text = std::to_string(change.track.id);
    text += change.kind == Kind::begin ? " new " : change.kind == Kind::end ? " end " : " update ";
    text += to_string(change.track.state.value());
    if (change.before) text.append(", was ").append(to_string(*change.before));
    if (!change.reason.empty()) text.append(": ").append(change.reason);
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> see(TrackChanges& changes, const std::vector<TrackRegion>& regions) {
  return texts(changes.see(regions));
}

TEST(TrackChanges, ATrackBegins) {
  TrackChanges changes;
  EXPECT_THAT(see(changes, {region(2), region(1)}),
              ElementsAre("1 new tracking", "2 new tracking"));
  EXPECT_THAT(see(changes, {region(2), region(1)}), IsEmpty());
}

TEST(TrackChanges, ItsStateChanges) {
  TrackChanges changes;
  changes.see(std::vector{region(1)});
  EXPECT_THAT(see(changes, {region(1, TrackState::uncertain)}),
              ElementsAre("1 update uncertain, was tracking"));
}

TEST(TrackChanges, ItIsLostOnceAndFoundAgain) {
  TrackChanges changes;
  changes.see(std::vector{region(1)});
  EXPECT_THAT(see(changes, {}), ElementsAre("1 update lost, was tracking"));
  EXPECT_THAT(see(changes, {}), IsEmpty());
  EXPECT_THAT(see(changes, {region(1)}), ElementsAre("1 update tracking, was lost"));
}

TEST(TrackChanges, NothingIsLostWhereNobodyLooked) {
  TrackChanges changes;
  changes.see(std::vector{region(1)});
  EXPECT_THAT(texts(changes.see({}, [](const auto&) { return false; })), IsEmpty());
  EXPECT_THAT(see(changes, {region(1)}), IsEmpty());
}

TEST(TrackChanges, ALostOneHasItsLastBox) {
  TrackChanges changes;
  changes.see(std::vector{region(1)});
  const std::vector<TrackChange> lost = changes.see({});
  ASSERT_THAT(lost, SizeIs(1));
  EXPECT_EQ(lost[0].track.box, region(1).box);
  EXPECT_FALSE(lost[0].track.confidence);
}

TEST(TrackChanges, ItEndsWhenItIsRemoved) {
  TrackChanges changes;
  changes.see(std::vector{region(1), region(2)});
  EXPECT_THAT(texts(changes.remove(removed("b"))), IsEmpty()) << "another tracker";
  EXPECT_THAT(texts(changes.remove(removed("a"))),
              ElementsAre("1 end tracking, was tracking: removed"));
  EXPECT_THAT(texts(changes.remove(removed("a"))), IsEmpty());
  EXPECT_THAT(see(changes, {region(2)}), IsEmpty()) << "nor is it lost";
}

TEST(TrackChanges, AllEnd) {
  TrackChanges changes;
  changes.see(std::vector{region(1), region(2)});
  changes.see(std::vector{region(1)});
  EXPECT_THAT(texts(changes.end("over")),
              ElementsAre("1 end tracking, was tracking: over", "2 end lost, was lost: over"));
  EXPECT_THAT(texts(changes.end("over")), IsEmpty());
}

TEST(TrackChanges, DetectionsAreNoTracks) {
  TrackChanges changes;
  TrackRegion detection = region(1);
  detection.state.reset();
  EXPECT_THAT(see(changes, {detection}), IsEmpty());
}

TEST(TrackChanges, EachTrackerHasItsOwnIds) {
  TrackChanges changes;
  EXPECT_THAT(see(changes, {region_of("a", 1), region_of("b", 1)}),
              ElementsAre("1 new tracking", "1 new tracking"));
  const auto lost = changes.see(std::vector{region_of("a", 1)});
  ASSERT_THAT(lost, SizeIs(1));
  EXPECT_EQ(lost[0].track.tracker, "b");
  EXPECT_THAT(texts(changes.remove(removed("a"))), SizeIs(1));
  EXPECT_THAT(see(changes, {region_of("b", 1)}), ElementsAre("1 update tracking, was lost"));
}

TEST(TrackChanges, ATrackIsTheSameUnderAnotherLabel) {
  TrackChanges changes;
  TrackRegion one = region(1);
  EXPECT_THAT(see(changes, {one}), SizeIs(1));
  one.label = "what a detector calls it";
  EXPECT_THAT(see(changes, {one}), IsEmpty());
}

TEST(TrackChanges, OneThatHasNotLookedHasLostNothing) {
  TrackChanges changes;
  changes.see(std::vector{region_of("a", 1), region_of("b", 1)});
  const auto lost = changes.see({}, [](const std::string& tracker) { return tracker != "a"; });
  ASSERT_THAT(lost, SizeIs(1));
  EXPECT_EQ(lost[0].track.tracker, "b");
}

TEST(TrackChanges, TwoOfOneKeyAreOne) {
  TrackChanges changes;
  EXPECT_THAT(see(changes, {region(1), region(1, TrackState::uncertain)}), SizeIs(1));
  EXPECT_THAT(see(changes, {region(1), region(1, TrackState::uncertain)}), IsEmpty());
}

TEST(TrackChanges, LostOnesAreNotKeptForEver) {
  TrackChanges changes;
  for (int id = 0; id < 4096; ++id) changes.see(std::vector{region(id)});
  EXPECT_THAT(see(changes, {region(5000)}),
              ElementsAre("0 end lost, was lost: too many lost tracks",
                          "4095 update lost, was tracking", "5000 new tracking"));
}

}  // namespace
}  // namespace cltrack::gst
