// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/track_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace cltrack::gst {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = TrackChange::Kind;

constexpr GstClockTime kFrame = 40 * GST_MSECOND;

TrackRegion region(int id, TrackState state = TrackState::tracking, const char* tracker = "a") {
  return {.id = id,
          .label = "car",
          .box = {10, 20, 30, 40},
          .confidence = 0.5f,
          .state = state,
          .tracker = tracker};
}

TrackRegion at(TrackRegion region, float x) {
  region.box.x = x;
  return region;
}

// Of no tracker.
TrackRegion numbered(int id, const char* label = "car") {
  TrackRegion result = region(id, {}, "");
  result.state.reset();
  result.label = label;
  return result;
}

TrackRegion bare(int id, const char* label = "car") {
  TrackRegion result = numbered(id, label);
  result.confidence.reset();
  return result;
}

RemovedTrack removed(const char* tracker, int id = 1) { return {{tracker, id}, {"", id, "car"}}; }

TEST(RegionKinds, AreWhatIsKnownOfIt) {
  EXPECT_EQ(kind_of(region(0)), RegionKind::track);
  EXPECT_EQ(kind_of(bare(1)), RegionKind::bare);
  EXPECT_EQ(kind_of(numbered(1)), RegionKind::numbered);
  EXPECT_EQ(kind_of(numbered(0)), RegionKind::unnumbered);
  EXPECT_EQ(kind_of(bare(-1)), RegionKind::unnumbered);
}

// --- the tracks of a tracker

using States = std::vector<std::optional<TrackState>>;

class TrackerHistory : public testing::Test {
 protected:
  States see(std::initializer_list<std::uint64_t> ids, GstClockTime time,
             TrackState state = TrackState::tracking, bool breaks = false) {
    std::vector<Track> tracks;
    for (const std::uint64_t id : ids) {
      tracks.push_back({.id = id, .label = "car", .box = {1, 2, 30, 40}, .state = state});
    }
    return history_.observe_tracks(tracks, time, breaks);
  }
  void expect_seen(std::uint64_t id, GstClockTime first, GstClockTime last) {
    EXPECT_EQ(history_.seen(id).first, first);
    EXPECT_EQ(history_.seen(id).last, last);
  }

  TrackHistory history_;
};

constexpr GstClockTime kNone = GST_CLOCK_TIME_NONE;

TEST_F(TrackerHistory, KnowsTheStatesBefore) {
  EXPECT_EQ(see({1}, 10), States{std::nullopt});
  EXPECT_EQ(see({1, 2}, 20, TrackState::lost), (States{TrackState::tracking, std::nullopt}));
  EXPECT_EQ(see({2}, 30), States{TrackState::lost});
  EXPECT_EQ(see({1}, 40), States{std::nullopt}) << "it was not there";
}

TEST_F(TrackerHistory, FirstTimeStaysAndLastGoesOn) {
  constexpr std::uint64_t kLarge = 0x100000001;  // 1 for those who have 32 bits
  see({1}, 10);
  see({1, kLarge}, 20);
  see({1, kLarge}, 30, TrackState::uncertain);
  expect_seen(1, 10, 30);
  expect_seen(kLarge, 20, 30);
  see({1}, 40);
  expect_seen(kLarge, kNone, kNone);
}

TEST_F(TrackerHistory, ALostTrackWasSeenBefore) {
  see({1}, 10, TrackState::lost);
  expect_seen(1, kNone, kNone);
  see({1}, 20);
  see({1}, 30, TrackState::lost);
  expect_seen(1, 20, 20);
  see({1}, 40);
  expect_seen(1, 20, 40);
}

TEST_F(TrackerHistory, PicturesWithoutATimeLeaveTimesAlone) {
  see({1}, kNone);
  expect_seen(1, kNone, kNone);
  see({1}, 20);
  see({1}, kNone);
  expect_seen(1, 20, 20);
}

TEST_F(TrackerHistory, RunningTimeThatBeginsAnewLeavesNothingInTheFuture) {
  see({1}, 1000);
  see({1}, 900);
  expect_seen(1, 1000, 900);
  EXPECT_EQ(see({1}, 0, TrackState::lost, true), States{TrackState::tracking});
  expect_seen(1, kNone, kNone);
  see({1}, 10);
  expect_seen(1, 10, 10);
}

// --- what changes

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

class TrackChanges : public testing::Test {
 protected:
  std::vector<std::string> see(const std::vector<TrackRegion>& regions) {
    return texts(history_.observe_regions(regions));
  }

  TrackHistory history_;
};

TEST_F(TrackChanges, ATrackBeginsAndItsStateChanges) {
  EXPECT_THAT(see({region(2), region(1)}), ElementsAre("1 new tracking", "2 new tracking"));
  EXPECT_THAT(see({region(2), region(1)}), IsEmpty());
  EXPECT_THAT(see({region(2), region(1, TrackState::uncertain)}),
              ElementsAre("1 update uncertain, was tracking"));
}

TEST_F(TrackChanges, ItIsLostOnceWithItsLastBoxAndFoundAgain) {
  see({region(1)});
  const std::vector<TrackChange> lost = history_.observe_regions({});
  EXPECT_THAT(texts(lost), ElementsAre("1 update lost, was tracking"));
  EXPECT_EQ(lost.at(0).track.box, region(1).box);
  EXPECT_FALSE(lost.at(0).track.confidence);
  EXPECT_THAT(see({}), IsEmpty());
  EXPECT_THAT(see({region(1)}), ElementsAre("1 update tracking, was lost"));
}

TEST_F(TrackChanges, NothingIsLostWhereItsTrackerHasNotLooked) {
  see({region(1), region(1, TrackState::tracking, "b")});
  const auto lost =
      history_.observe_regions({}, 0, [](const std::string& tracker) { return tracker != "a"; });
  ASSERT_THAT(lost, SizeIs(1));
  EXPECT_EQ(lost[0].track.tracker, "b");
  EXPECT_THAT(see({region(1)}), IsEmpty());
}

TEST_F(TrackChanges, ItEndsWhenItIsRemoved) {
  see({region(1), region(2)});
  EXPECT_THAT(texts(history_.remove(removed("b"))), IsEmpty()) << "another tracker";
  EXPECT_THAT(texts(history_.remove(removed("a"))),
              ElementsAre("1 end tracking, was tracking: removed"));
  EXPECT_THAT(texts(history_.remove(removed("a"))), IsEmpty());
  EXPECT_THAT(see({region(2)}), IsEmpty()) << "nor is it lost";
}

TEST_F(TrackChanges, AllEnd) {
  see({region(1), region(2)});
  see({region(1)});
  EXPECT_THAT(texts(history_.end("over")),
              ElementsAre("1 end tracking, was tracking: over", "2 end lost, was lost: over"));
  EXPECT_THAT(texts(history_.end("over")), IsEmpty());
}

TEST_F(TrackChanges, RegionsWithoutAStateAreNoTracks) {
  EXPECT_THAT(see({bare(1), numbered(2)}), IsEmpty());
  EXPECT_THAT(see({bare(1), numbered(2)}), IsEmpty());
  EXPECT_THAT(see({}), IsEmpty());
}

TEST_F(TrackChanges, TrackerAndIdSayWhatIsTheSame) {
  EXPECT_THAT(see({region(1), region(1, TrackState::tracking, "b")}), SizeIs(2));
  TrackRegion other = region(1);
  other.label = "what a detector calls it";
  EXPECT_THAT(see({other, region(1, TrackState::uncertain)}),
              ElementsAre("1 update lost, was tracking"))
      << "that of b; the first of two counts";
}

TEST_F(TrackChanges, LostOnesAreNotKeptForEver) {
  for (int id = 0; id < 4096; ++id) see({region(id)});
  EXPECT_THAT(see({region(5000)}),
              ElementsAre("0 end lost, was lost: too many lost tracks",
                          "4095 update lost, was tracking", "5000 new tracking"));
}

// --- lost tracks and trails

using Places = std::vector<float>;

class RegionHistory : public testing::Test {
 protected:
  static constexpr std::size_t kMost = 256;

  // The x of the boxes of lost tracks.
  Places lost(GstClockTime time, const std::vector<TrackRegion>& regions,
              GstClockTime lost_time = GST_SECOND) {
    Places places;
    history_.observe_regions(regions, time);
    for (const TrackRegion& region : history_.lost(lost_time)) {
      EXPECT_EQ(region.state, TrackState::lost);
      EXPECT_FALSE(region.confidence);
      EXPECT_TRUE(region.trail.empty());
      places.push_back(region.box.x);
    }
    return places;
  }
  // The x of the points of the first region's trail.
  Places trail(std::vector<TrackRegion> regions, std::size_t length = 5) {
    history_.observe_regions(regions);
    history_.add_trails(regions, length);
    Places places;
    if (regions.empty()) return places;
    for (const TrackPoint& point : regions[0].trail) places.push_back(point.x - 15);
    return places;
  }
  void observe_none(int times) {
    for (int i = 0; i < times; ++i) trail({});
  }

  TrackHistory history_{RegionKind::numbered, kMost};
};

TEST_F(RegionHistory, ATrackIsLostForTheTimeAndNoLonger) {
  EXPECT_THAT(lost(0, {at(region(1), 10), region(2)}), IsEmpty());
  EXPECT_THAT(lost(kFrame, {at(region(1), 15), region(2)}), IsEmpty());
  EXPECT_EQ(lost(2 * kFrame, {region(2)}), Places{15});
  EXPECT_EQ(lost(kFrame + GST_SECOND, {region(2)}), Places{15});
  EXPECT_THAT(lost(kFrame + GST_SECOND + 1, {region(2)}), IsEmpty());
  EXPECT_THAT(lost(kFrame, {region(2)}), IsEmpty()) << "what is forgotten stays so";
  EXPECT_THAT(lost(2 * kFrame, {region(1), region(2)}), IsEmpty()) << "found again";
}

TEST_F(RegionHistory, NoLostTimeForgetsWhatIsLost) {
  lost(0, {region(1)});
  EXPECT_THAT(lost(kFrame, {}, 0), IsEmpty());
  EXPECT_THAT(lost(2 * kFrame, {}), IsEmpty());
}

TEST_F(RegionHistory, FindsOfDetectorsAreNotLost) {
  for (int i = 0; i < 3; ++i) lost(kFrame, {numbered(7), bare(0), bare(-1)});
  EXPECT_THAT(lost(kFrame, {}), IsEmpty());
  for (int id = 1; id < 20; ++id) {
    EXPECT_THAT(lost(kFrame, {bare(id)}), IsEmpty()) << "numbers that change with every frame";
  }
}

TEST_F(RegionHistory, ATrackBehindAConverterIsLost) {
  lost(0, {bare(3)});
  lost(kFrame, {bare(3), at(bare(3, "bag"), 50)});
  lost(2 * kFrame, {bare(3), at(bare(3, "bag"), 50)});
  EXPECT_EQ(lost(3 * kFrame, {bare(3)}), Places{50}) << "another label is another track";
}

TEST_F(RegionHistory, EachTrackerHasItsOwnIds) {
  lost(0, {region(1), at(region(1, TrackState::tracking, "b"), 50)});
  EXPECT_EQ(lost(kFrame, {region(1)}), Places{50});
  history_.remove(removed("b"));
  EXPECT_THAT(lost(2 * kFrame, {region(1)}), IsEmpty());
}

TEST_F(RegionHistory, TrailsAreCentresUpToALength) {
  EXPECT_EQ(trail({at(bare(1), 0)}, 3), (Places{0}));
  EXPECT_EQ(trail({at(bare(1), 1)}, 3), (Places{0, 1}));
  EXPECT_EQ(trail({at(bare(1), 2)}, 3), (Places{0, 1, 2}));
  EXPECT_EQ(trail({at(bare(1), 3)}, 3), (Places{1, 2, 3}));
  EXPECT_EQ(trail({at(bare(1), 4)}, 2), (Places{3, 4})) << "a shorter one holds at once";
  EXPECT_EQ(trail({at(bare(1), 5)}, 0), Places{});
  EXPECT_EQ(trail({at(bare(1), 6)}, 3), (Places{6})) << "0 forgets";
}

TEST_F(RegionHistory, OfOneKeyTheFirstRegionHasTheTrail) {
  std::vector<TrackRegion> both = {at(numbered(1), 0), at(numbered(1), 50)};
  history_.observe_regions(both);
  history_.add_trails(both, 5);
  EXPECT_THAT(both[0].trail, SizeIs(1));
  EXPECT_THAT(both[1].trail, IsEmpty());
  EXPECT_EQ(trail({at(numbered(1), 1)}), (Places{0, 1}));
  EXPECT_EQ(trail({at(numbered(1, "bag"), 2)}), Places{2}) << "another label is another track";
}

TEST_F(RegionHistory, FindsWithoutANumberHaveNoTrail) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(trail({bare(0)}), Places{});
    EXPECT_EQ(trail({numbered(-7)}), Places{});
  }
  trail({at(region(0), 0)});
  EXPECT_EQ(trail({at(region(0), 1)}), (Places{0, 1})) << "a track";
}

TEST_F(RegionHistory, ATrailOfTheMetadataStays) {
  trail({region(1)});
  TrackRegion with_trail = region(1);
  with_trail.trail = {{22, 7}, {23, 8}};
  EXPECT_EQ(trail({with_trail}), (Places{7, 8}));
}

TEST_F(RegionHistory, TrailsBridgeShortAbsences) {
  constexpr int kForgetAfter = static_cast<int>(TrackHistory::kForgetAfter);
  trail({at(region(1), 0)});
  observe_none(kForgetAfter);
  EXPECT_EQ(trail({at(region(1), 1)}), (Places{0, 1}));
  observe_none(kForgetAfter + 1);
  EXPECT_EQ(trail({at(region(1), 2)}), (Places{2}));
}

TEST_F(RegionHistory, BoxesThatAreNoneHaveNoPlace) {
  TrackRegion bad = at(region(1), std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(trail({bad}), Places{});
  bad.box = {0, 0, 0, 10};
  EXPECT_EQ(trail({bad}), Places{});
}

TEST_F(RegionHistory, ForgetsWhatIsRemovedAndAllIfReset) {
  trail({at(bare(1), 0), at(bare(2), 50)});
  history_.remove({{"a", 1}, {"", 1, "another label"}});
  history_.remove(removed("a", 2));
  EXPECT_EQ(trail({at(bare(1), 1)}), (Places{0, 1}));
  EXPECT_EQ(trail({at(bare(2), 51)}), (Places{51}));
  lost(0, {region(1)});
  history_.reset();
  EXPECT_THAT(lost(kFrame, {}), IsEmpty());
  EXPECT_EQ(trail({at(bare(1), 2)}), (Places{2}));
}

TEST_F(RegionHistory, FollowsThePicturesSize) {
  std::vector<TrackRegion> regions = {region(1)};
  lost(0, regions);
  history_.add_trails(regions, 5);
  history_.rescale(2, 3);
  history_.observe_regions({}, kFrame);
  EXPECT_EQ(history_.lost(GST_SECOND).at(0).box, (BoundingBox{20, 60, 60, 120}));
  EXPECT_EQ(trail({at(region(1), 20)}), (Places{35, 20}));
}

TEST_F(RegionHistory, IsBoundedWhateverComes) {
  std::vector<TrackRegion> many;
  for (int id = 1; id <= 600; ++id) many.push_back(numbered(id));
  history_.observe_regions(many);
  history_.add_trails(many, 5);
  EXPECT_EQ(std::ranges::count_if(many, [](const auto& one) { return !one.trail.empty(); }), kMost);
  trail({at(numbered(1000), 0)});
  EXPECT_EQ(trail({at(numbered(1000), 1)}), (Places{0, 1})) << "the latest has a place";
  lost(0, {at(region(1), 99)});
  for (int id = 1; id < 2000; ++id) {
    EXPECT_EQ(lost(0, {numbered(id)}), Places{99}) << "finds of detectors make way for tracks";
  }
  for (int id = 1; id < 2000; ++id) {
    ASSERT_LT(lost(0, {region(id)}, kNone - 1).size(), kMost);
  }
}

}  // namespace
}  // namespace cltrack::gst
