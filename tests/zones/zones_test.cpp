// SPDX-License-Identifier: LGPL-2.1-or-later
// What counts, one rule at a time.
#include "cltrack/zones.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "support/errors.h"

namespace cltrack {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum TrackState;

constexpr std::int64_t kFrame = 40'000'000;  // ns
constexpr std::int64_t kSecond = 25 * kFrame;

// A line from left to right in the middle of 200 x 200 pixels, and the area below it. Boxes have 20
// pixels a side, so the margin is 2.
class ZonesTest : public testing::Test {
 protected:
  ZonesTest() { zones_.set_zones(parse_zones(kText)); }

  static Track track(std::uint64_t id, float x, float y, TrackState state = tracking) {
    Track track;
    track.id = id;
    track.label = "person";
    track.state = state;
    track.confidence = 0.75f;
    if (state != lost) track.box = {x - 10, y - 20, 20, 20};
    return track;
  }

  // Events as "KIND ZONE [ID] ...", of the next picture.
  std::vector<std::string> see(const std::vector<Track>& tracks) {
    time_ += kFrame;
    return texts(zones_.update(tracks, {time_, 200, 200}));
  }
  // Of so many pictures.
  std::vector<std::string> see(int pictures, const std::vector<Track>& tracks) {
    std::vector<std::string> all;
    for (int i = 0; i < pictures; ++i) {
      const auto more = see(tracks);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

  std::vector<std::string> texts(const std::vector<ZoneEvent>& events) {
    latest_ = events;
    std::vector<std::string> all;
    for (const ZoneEvent& event : events) {
      std::string& text = all.emplace_back(to_string(event.kind));
      text += " " + event.zone;
      if (event.kind == ZoneEvent::Kind::cross) text += event.forward ? " forward" : " backward";
      text += event.id != 0 ? " id " + std::to_string(event.id) : "";
      text += event.after != 0 ? " after " + std::to_string(event.after) : "";
      text += event.reason.empty() ? "" : ": " + event.reason;
      if (event.kind >= ZoneEvent::Kind::count) text += " " + std::to_string(event.inside);
    }
    return all;
  }

  static constexpr const char* kText =
      "door: line 0,0.5 1,0.5; room: area 0.1,0.5 0.9,0.5 0.9,1 0.1,1";
  Zones zones_;
  std::int64_t time_ = 0;
  std::vector<ZoneEvent> latest_;
};

TEST_F(ZonesTest, TellWhenItIsSureWhatHappenedThen) {
  EXPECT_THAT(see(5, {track(1, 100, 60)}), IsEmpty());
  EXPECT_THAT(see({track(1, 100, 101)}), IsEmpty());  // over the edge, within the margin
  const std::int64_t over = time_;
  EXPECT_THAT(see(2, {track(1, 100, 110)}), IsEmpty());
  EXPECT_THAT(see({track(1, 100, 120)}),
              ElementsAre("cross door forward id 1", "enter room id 1", "count room 1"));
  for (const ZoneEvent& event : std::span(latest_).first(2)) {
    EXPECT_EQ(event.time, over);
    EXPECT_EQ(event.box, track(1, 100, 101).box);
    EXPECT_EQ(event.label, "person");
    EXPECT_EQ(event.confidence, 0.75f);
  }
  EXPECT_EQ(latest_[1].inside, 1);
  EXPECT_EQ(latest_[2].time, time_);
  EXPECT_THAT(zones_.inside(), ElementsAre(0, 1));
  EXPECT_THAT(see(5, {track(1, 100, 120)}), IsEmpty());

  EXPECT_THAT(see({track(1, 100, 90)}), IsEmpty());
  EXPECT_THAT(see(2, {track(1, 100, 90)}),
              ElementsAre("cross door backward id 1", "leave room id 1", "count room 0"));
  EXPECT_EQ(latest_[1].dwell, 9 * kFrame);
  EXPECT_EQ(zones_.totals()[0], (ZoneTotals{.name = "door", .forward = 1, .backward = 1}));
  EXPECT_EQ(zones_.totals()[1], (ZoneTotals{.name = "room", .entered = 1, .left = 1, .most = 1}));
}

TEST_F(ZonesTest, ABoxThatTremblesOnTheEdgeCountsNothing) {
  see(5, {track(1, 100, 60)});
  for (int i = 0; i < 20; ++i) EXPECT_THAT(see({track(1, 100, i % 2 == 0 ? 98 : 102)}), IsEmpty());
  // Nor one that is there for less than so many pictures.
  for (int i = 0; i < 20; ++i) EXPECT_THAT(see({track(1, 100, i % 3 == 0 ? 90 : 110)}), IsEmpty());
}

TEST_F(ZonesTest, WhoBeginsOnTheEdgeHasNotCrossedIt) {
  EXPECT_THAT(see(5, {track(1, 100, 99)}), IsEmpty());
  EXPECT_THAT(see(5, {track(1, 100, 110)}), ElementsAre("enter room id 1", "count room 1"));
}

TEST_F(ZonesTest, WhoWalksRoundTheEndOfALineHasNotCrossedIt) {
  zones_.set_zones(parse_zones("door: line 0.4,0.5 0.6,0.5"));
  see(3, {track(1, 100, 80)});
  for (const auto& [x, y] : {std::pair{130, 80}, {130, 120}, {100, 120}, {70, 120}, {70, 80}}) {
    EXPECT_THAT(see(3, {track(1, static_cast<float>(x), static_cast<float>(y))}), IsEmpty());
  }
  // Nor who trembles about the end, across and back round it.
  for (int i = 0; i < 8; ++i) {
    see({track(1, 119, 99.5f)});
    see({track(1, 119, 100.5f)});
    see({track(1, 121, 100.5f)});
    see({track(1, 121, 99.5f)});
  }
  EXPECT_THAT(see(5, {track(1, 100, 80)}), IsEmpty());
  EXPECT_EQ(zones_.totals()[0].forward, 0U);
}

TEST_F(ZonesTest, UncertainBoxesCountWhenTheyAreConfirmed) {
  see(5, {track(1, 100, 60)});
  EXPECT_THAT(see(10, {track(1, 100, 120, uncertain)}), IsEmpty());
  const std::int64_t over = time_ - 9 * kFrame;
  EXPECT_THAT(see(2, {track(1, 100, 120)}), IsEmpty());
  EXPECT_THAT(see({track(1, 100, 120)}),
              ElementsAre("cross door forward id 1", "enter room id 1", "count room 1"));
  EXPECT_EQ(latest_[0].time, over);
  // Those that were wrong do not.
  EXPECT_THAT(see(10, {track(1, 100, 80, uncertain)}), IsEmpty());
  EXPECT_THAT(see(10, {track(1, 100, 120)}), IsEmpty());
}

TEST_F(ZonesTest, WhoIsFoundOnTheOtherSideHasCrossedOnce) {
  see(5, {track(1, 100, 60)});
  see(50, {track(1, 0, 0, lost)});
  EXPECT_THAT(see(5, {track(1, 150, 150)}),
              ElementsAre("cross door forward id 1", "enter room id 1", "count room 1"));
  see(50, {});  // missing is lost, too
  EXPECT_THAT(see(5, {track(1, 100, 60)}),
              ElementsAre("cross door backward id 1", "leave room id 1", "count room 0"));
}

TEST_F(ZonesTest, WhoIsLostStaysForSomeTime) {
  see(5, {track(1, 100, 150)});
  const std::int64_t seen = time_;
  EXPECT_THAT(see(3 * 25, {}), IsEmpty());
  EXPECT_THAT(see({}), ElementsAre("leave room id 1: lost", "count room 0"));
  EXPECT_EQ(latest_[0].time, seen);
  EXPECT_EQ(latest_[0].dwell, 4 * kFrame);
  EXPECT_FALSE(zones_.knows(1));
  // It is a new one then.
  EXPECT_THAT(see(5, {track(1, 100, 60)}), IsEmpty());
}

TEST_F(ZonesTest, ANewIdTakesThePlaceOfOneThatWasJustLost) {
  see(5, {track(1, 100, 90), track(2, 30, 90), track(3, 100, 190)});
  see(20, {track(2, 30, 90), track(3, 100, 190)});
  EXPECT_THAT(
      see(5, {track(2, 30, 90), track(3, 100, 190), track(7, 105, 107)}),
      ElementsAre("cross door forward id 7 after 1", "enter room id 7 after 1", "count room 2"));
  EXPECT_FALSE(zones_.knows(1));
  // Without another enter, where it was in already.
  see({track(2, 30, 90), track(3, 100, 190)});
  EXPECT_THAT(see(5, {track(2, 30, 90), track(3, 100, 190), track(8, 105, 107)}), IsEmpty());
  EXPECT_THAT(
      see(5, {track(2, 30, 90), track(3, 100, 190), track(8, 105, 80)}),
      ElementsAre("cross door backward id 8 after 7", "leave room id 8 after 7", "count room 1"));
}

TEST_F(ZonesTest, ANewIdTakesNoOtherPlace) {
  const auto begins = [&](const Track& track, int pictures_later) {
    zones_.end("next case");
    see(5, {ZonesTest::track(1, 100, 150)});
    see(pictures_later - 1, {});
    const auto events = see(3, {track});
    return !events.empty() && events[0] == "enter room id " + std::to_string(track.id);
  };
  EXPECT_FALSE(begins(track(2, 119, 150), 25));
  EXPECT_TRUE(begins(track(2, 119, 150), 26)) << "too late";
  EXPECT_TRUE(begins(track(2, 121, 150), 25)) << "too far away";
  Track dog = track(2, 100, 150);
  dog.label = "dog";
  EXPECT_TRUE(begins(dog, 25)) << "of another kind";
  zones_.set_config({.takeover_time = 0});
  EXPECT_TRUE(begins(track(2, 100, 150), 1)) << "not wanted";
}

TEST_F(ZonesTest, RepeatedAndLatePicturesCountNothing) {
  see(5, {track(1, 100, 60)});
  const auto show = [&](std::int64_t time, bool repeated = false) {
    return texts(zones_.update(std::vector{track(1, 100, 120)}, {time, 200, 200, repeated}));
  };
  EXPECT_THAT(see({track(1, 100, 120)}), IsEmpty());
  for (int i = 0; i < 5; ++i) EXPECT_THAT(show(time_), IsEmpty());
  for (int i = 0; i < 5; ++i) EXPECT_THAT(show(time_ - i * kFrame), IsEmpty());
  for (int i = 0; i < 5; ++i) EXPECT_THAT(show(++time_, true), IsEmpty());
  EXPECT_THAT(see({track(1, 100, 120)}), IsEmpty());
  EXPECT_THAT(see({track(1, 100, 120)}), testing::SizeIs(3));
}

TEST_F(ZonesTest, TimeThatBeginsAnewChangesNoCount) {
  time_ = 100 * kSecond;
  see(5, {track(1, 100, 60)});
  see({track(1, 100, 120)});
  time_ = 0;
  see({track(1, 100, 120)});
  EXPECT_THAT(see({track(1, 100, 120)}), testing::SizeIs(3));
  EXPECT_EQ(latest_[0].time, 100 * kSecond + 6 * kFrame);
  time_ = 10 * kSecond;
  see({track(1, 100, 120)});
  time_ = 0;
  see(2, {track(1, 100, 60)});
  EXPECT_THAT(see({track(1, 100, 60)}), testing::SizeIs(3));
  // 2 pictures, what was left out, and one more.
  EXPECT_EQ(latest_[1].dwell, 2 * kFrame + (10 * kSecond - kFrame) + kFrame);
}

TEST_F(ZonesTest, NobodyWalksAcrossACut) {
  see(5, {track(1, 100, 60)});
  time_ += kFrame;
  const ZonePicture picture{.time = time_, .width = 200, .height = 200, .cut = true};
  zones_.update(std::vector{track(1, 100, 120)}, picture);
  EXPECT_THAT(see(5, {track(1, 100, 120)}), ElementsAre("enter room id 1", "count room 1"));
}

TEST_F(ZonesTest, LongStaysAreToldOfOnce) {
  zones_.set_config({.dwell_time = kSecond});
  see(3, {track(1, 100, 150)});
  EXPECT_THAT(see(22, {track(1, 100, 150)}), IsEmpty());
  EXPECT_THAT(see({track(1, 100, 150)}), ElementsAre("dwell room id 1"));
  EXPECT_EQ(latest_[0].dwell, kSecond);
  EXPECT_EQ(latest_[0].time, time_);
  EXPECT_THAT(see(100, {track(1, 100, 150)}), IsEmpty());
  see(5, {track(1, 100, 60)});
  EXPECT_THAT(see(50, {track(1, 100, 150)}), testing::Contains("dwell room id 1").Times(1));
  EXPECT_EQ(zones_.totals()[1].dwelled, 2U);
}

TEST_F(ZonesTest, AnAreaMayHaveLimitsOfItsOwn) {
  zones_.set_config({.dwell_time = 100 * kSecond, .crowd_limit = 100});
  zones_.set_zones(parse_zones("room: area dwell=1 crowd=1 0.1,0.5 0.9,0.5 0.9,1 0.1,1"));
  const auto events = see(40, {track(1, 60, 150), track(2, 140, 150)});
  EXPECT_THAT(events, ElementsAre("enter room id 1", "enter room id 2", "count room 2",
                                  "crowded room 2", "dwell room id 1", "dwell room id 2"));
}

TEST_F(ZonesTest, ACrowdIsToldOfWhenItComes) {
  zones_.set_config({.crowd_limit = 1});
  const Track one = track(1, 60, 150), two = track(2, 140, 150), three = track(3, 100, 180);
  EXPECT_THAT(see(3, {one}), ElementsAre("enter room id 1", "count room 1"));
  EXPECT_THAT(see(3, {one, two}), ElementsAre("enter room id 2", "count room 2", "crowded room 2"));
  EXPECT_THAT(see(3, {one, two, three}), ElementsAre("enter room id 3", "count room 3"));
  EXPECT_THAT(texts(zones_.remove(3)), ElementsAre("leave room id 3: removed", "count room 2"));
  EXPECT_THAT(texts(zones_.remove(2)), ElementsAre("leave room id 2: removed", "count room 1"));
  EXPECT_THAT(see(3, {one, three}), testing::Contains("crowded room 2"));
  EXPECT_EQ(zones_.totals()[1].crowded, 2U);
  EXPECT_EQ(zones_.totals()[1].most, 3U);
  EXPECT_THAT(texts(zones_.end("over")),
              ElementsAre("leave room id 1: over", "leave room id 3: over", "count room 0"));
}

TEST_F(ZonesTest, LabelsMayBeChosen) {
  zones_.set_zones(parse_zones("room: area label=dog label=cat 0.1,0.5 0.9,0.5 0.9,1 0.1,1"));
  Track cat = track(2, 100, 150);
  cat.label = "cat";
  EXPECT_THAT(see(5, {track(1, 60, 150), cat}), ElementsAre("enter room id 2", "count room 1"));
}

TEST_F(ZonesTest, TheAnchorMayBeAnyPointOfTheBox) {
  EXPECT_THAT(see(5, {track(1, 100, 110)}), testing::Not(IsEmpty()));
  zones_.end("");
  zones_.set_config({.anchor = {0.5f, 0}});
  EXPECT_THAT(see(5, {track(1, 100, 110)}), IsEmpty());
  zones_.set_config({.anchor = {0, 1}});
  EXPECT_THAT(see(5, {track(1, 26, 150)}), IsEmpty());
  EXPECT_THAT(see(5, {track(1, 34, 150)}), testing::SizeIs(2));
}

TEST_F(ZonesTest, WhoReachesBeyondThePictureIsAtItsBorder) {
  EXPECT_THAT(see(5, {track(1, 100, 215)}), ElementsAre("enter room id 1", "count room 1"));
}

TEST_F(ZonesTest, PicturesMayChangeTheirSize) {
  see(5, {track(1, 100, 60)});
  Track larger = track(1, 200, 300);
  larger.box = {180, 200, 40, 40};
  time_ += kFrame;
  EXPECT_THAT(zones_.update(std::vector{larger}, {time_, 400, 400}), IsEmpty());
  std::vector<std::string> events;
  for (int i = 0; i < 2; ++i) {
    time_ += kFrame;
    events = texts(zones_.update(std::vector{larger}, {time_, 400, 400}));
  }
  EXPECT_THAT(events, ElementsAre("cross door forward id 1", "enter room id 1", "count room 1"));
}

TEST_F(ZonesTest, ZonesMayChangeWhileTheyCount) {
  see(5, {track(1, 100, 60), track(2, 100, 150)});
  see(5, {track(1, 100, 120), track(2, 100, 150)});
  const ZoneTotals door = zones_.totals()[0];
  EXPECT_EQ(door.forward, 1U);
  // The line moves over those who stand there: they have not crossed it.
  zones_.set_zones(parse_zones("room: area 0.1,0.5 0.9,0.5 0.9,1 0.1,1; door: line 0,0.9 1,0.9"));
  EXPECT_THAT(see(5, {track(1, 100, 120), track(2, 100, 150)}), IsEmpty());
  EXPECT_EQ(zones_.totals()[1], door);
  EXPECT_EQ(zones_.inside()[0], 2);
  EXPECT_THAT(see(5, {track(1, 100, 190), track(2, 100, 150)}),
              ElementsAre("cross door forward id 1"));
  // The area leaves those who stay.
  zones_.set_zones(parse_zones("room: area 0.1,0 0.9,0 0.9,0.5 0.1,0.5"));
  EXPECT_THAT(see(5, {track(1, 100, 190)}), testing::Contains("leave room id 1"));
  EXPECT_EQ(zones_.totals().size(), 1U);
}

TEST_F(ZonesTest, BadZonesLeaveThoseThatWere) {
  see(5, {track(1, 100, 150)});
  const std::vector<Zone> before = zones_.zones();
  Zone bad = before[1];
  bad.corners[1].x = std::numeric_limits<float>::quiet_NaN();
  test::expect_rejected(
      [&] {
        zones_.set_zones({before[0], bad});
      },
      {"zone 2 (\"room\"): corner 2"});
  EXPECT_EQ(zones_.zones(), before);
  EXPECT_EQ(zones_.inside()[1], 1);
}

TEST_F(ZonesTest, TotalsGoOnFromOthers) {
  const std::vector<ZoneTotals> kept = {{.name = "gone"},
                                        {.name = "room", .entered = 7, .left = 6}};
  zones_.set_totals(kept);
  see(5, {track(1, 100, 150)});
  EXPECT_EQ(zones_.totals()[1].entered, 8U);
  EXPECT_EQ(zones_.totals()[0].name, "door");
  EXPECT_EQ(zones_.inside()[1], 1);
}

TEST_F(ZonesTest, HoldWhateverTheyAreTold) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Track bad = track(5, 100, 150);
  bad.box.x = nan;
  Track flat = track(6, 100, 150);
  flat.box.height = 0;
  Track huge = track(7, 100, 150);
  huge.box = {-1e30f, -1e30f, 3e30f, 3e30f};
  const Track one = track(1, 100, 150), other = track(1, 100, 60);
  EXPECT_THAT(see(5, {bad, flat, one, other}), ElementsAre("enter room id 1", "count room 1"));
  see(5, {huge});
  std::vector<Track> crowd;
  for (std::uint64_t id = 10; id < 10 + 2 * Zones::kMostTracks; ++id) {
    crowd.push_back(track(id, 100, 150));
  }
  see(3, crowd);
  EXPECT_LE(zones_.inside()[1], static_cast<int>(Zones::kMostTracks));
  for (const std::int64_t time : {std::int64_t{0}, std::numeric_limits<std::int64_t>::max(),
                                  std::int64_t{0}, std::numeric_limits<std::int64_t>::max()}) {
    zones_.update(crowd, {time, 200, 200});
  }
  test::expect_rejected([&] { zones_.update({}, {-1, 200, 200}); }, {"time is -1; allowed: 0"});
  test::expect_rejected([&] { zones_.update({}, {1, 0, 200}); }, {"0 x 200 pixels"});
}

TEST(ZonesConfig, IsChecked) {
  const auto refused = [](ZonesConfig config, const std::string& message) {
    test::expect_rejected([&] { Zones{config}; }, {message});
  };
  refused({.anchor = {-0.1f, 0}}, "anchor.x is -0.1; allowed: 0 to 1");
  refused({.anchor = {0, 1.5f}}, "anchor.y is 1.5");
  refused({.margin = std::numeric_limits<float>::quiet_NaN()}, "margin is nan; allowed: 0 to 10");
  refused({.confirm_frames = 0}, "confirm_frames is 0; allowed: 1 to 1000");
  refused({.confirm_time = -1}, "confirm_time is -1");
  refused({.lost_time = -1}, "lost_time is -1");
  refused({.takeover_time = -1}, "takeover_time is -1");
  refused({.dwell_time = -1}, "dwell_time is -1");
  refused({.crowd_limit = -1}, "crowd_limit is -1");
}

TEST_F(ZonesTest, ATimeMayBeAskedForBesidesPictures) {
  zones_.set_config({.confirm_time = kSecond});
  see(5, {track(1, 100, 60)});
  EXPECT_THAT(see(25, {track(1, 100, 120)}), IsEmpty());
  EXPECT_THAT(see({track(1, 100, 120)}), testing::SizeIs(3));
}

}  // namespace
}  // namespace cltrack
