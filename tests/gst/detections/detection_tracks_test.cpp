// SPDX-License-Identifier: LGPL-2.1-or-later
#include "detections/detection_tracks.h"

#include "../support/matchers.h"
#include "../support/recording_tracker.h"

namespace cltrack::test {
namespace {

using gst::Detection;
using gst::DetectionSettings;
using gst::DetectionUse;
using gst::TargetChange;

constexpr BoundingBox kLeft{10, 20, 40, 80}, kRight{200, 20, 40, 80};

BoundingBox shifted(const BoundingBox& box, float dx) {
  return {box.x + dx, box.y, box.width, box.height};
}

class DetectionTracksTest : public ::testing::Test {
 protected:
  DetectionTracksTest() {
    targets_.begin(tracker_, false);
    settings_.use = DetectionUse::start;
  }

  // A picture, a second after the one before: what is detected, and where the tracker then finds
  // each track; without a box it is lost.
  void picture(const std::vector<Detection>& detections, std::vector<Track> tracks) {
    time_ += GST_SECOND;
    detections_.before(settings_, detections, 320, 240, time_, targets_, warnings_);
    detections_.after(tracks, time_, targets_);
    tracks_ = tracks;
  }
  static Detection detection(const BoundingBox& box, const std::string& label = "person") {
    Detection one;
    one.box = box;
    one.label = label;
    return one;
  }
  static Track track(std::uint64_t id, const BoundingBox& box,
                     const std::string& label = "person") {
    Track one;
    one.id = id;
    one.label = label;
    one.box = box;
    one.state = TrackState::tracking;
    return one;
  }
  static Track lost(std::uint64_t id, const std::string& label = "person") {
    Track one;
    one.id = id;
    one.label = label;
    return one;
  }
  std::vector<std::string> changes() {
    std::vector<std::string> all;
    for (const TargetChange& change : targets_.take_changes()) {
      std::string text = to_string(change.action);
      text += ' ';
      text += std::to_string(change.id);
      all.push_back(text);
    }
    return all;
  }

  RecordingTracker tracker_;
  gst::TargetControl control_;
  gst::TargetSet targets_{control_};
  gst::DetectionTracks detections_;
  DetectionSettings settings_;
  std::vector<std::string> warnings_;
  std::vector<Track> tracks_;
  GstClockTime time_ = 0;
};

TEST_F(DetectionTracksTest, EachObjectStartsOneTrack) {
  picture({detection(kLeft), detection(kRight, "car")}, {track(1, kLeft), track(2, kRight, "car")});
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2"));
  EXPECT_THAT(tracker_.labels, ElementsAre("person", "car"));
  EXPECT_EQ(std::get<BoundingBox>(tracker_.seeds.at(1)), kRight);
  EXPECT_THAT(detections_.confirmed(), UnorderedElementsAre(Pair(1, 0), Pair(2, 1)));

  picture({detection(shifted(kRight, 8), "car"), detection(shifted(kLeft, 8))},
          {track(1, shifted(kLeft, 8)), track(2, shifted(kRight, 8), "car")});
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(detections_.confirmed(), UnorderedElementsAre(Pair(1, 1), Pair(2, 0)));
  EXPECT_THAT(tracker_.moved, IsEmpty()) << "start moves nothing";

  picture({}, {track(1, kLeft), track(2, kRight, "car")});
  EXPECT_THAT(detections_.confirmed(), IsEmpty());
}

TEST_F(DetectionTracksTest, TheSumOfOverlapsDecides) {
  const BoundingBox c{100, 100, 40, 40}, d{120, 100, 40, 40};
  picture({detection(c), detection(d)}, {track(1, c), track(2, d)});
  // The first detection is nearer to the second track, which the second one needs.
  picture({detection(shifted(c, 12)), detection(shifted(d, 18))}, {track(1, c), track(2, d)});
  EXPECT_THAT(detections_.confirmed(), UnorderedElementsAre(Pair(1, 0), Pair(2, 1)));
}

TEST_F(DetectionTracksTest, TwoDetectionsOfOneObjectStartOneTrack) {
  picture({detection(kLeft), detection(shifted(kLeft, 10))}, {track(1, kLeft)});
  EXPECT_THAT(changes(), ElementsAre("added 1"));
}

TEST_F(DetectionTracksTest, AnotherTypeIsAnotherObject) {
  picture({detection(kLeft)}, {track(1, kLeft)});
  picture({detection(kLeft, "bag")}, {track(1, kLeft), track(2, kLeft, "bag")});
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2"));
}

TEST_F(DetectionTracksTest, WhatTheUserNamedIsConfirmedWhateverItsLabel) {
  targets_.add(kLeft, "Anna", {});
  picture({}, {track(1, kLeft, "Anna")});
  picture({detection(kLeft)}, {track(1, kLeft, "Anna")});
  EXPECT_THAT(changes(), ElementsAre("added 1"));
  EXPECT_THAT(detections_.confirmed(), ElementsAre(Pair(1, 0)));
}

TEST_F(DetectionTracksTest, CorrectsWhatIsOff) {
  settings_.use = DetectionUse::start_and_correct;
  picture({detection(kLeft)}, {track(1, kLeft)});
  picture({detection(shifted(kLeft, 4))}, {track(1, kLeft)});
  EXPECT_THAT(tracker_.moved, IsEmpty()) << "it is in place";
  picture({detection(shifted(kLeft, 15))}, {track(1, shifted(kLeft, 15))});
  EXPECT_THAT(tracker_.moved, ElementsAre(Pair(1, shifted(kLeft, 15))));
  EXPECT_THAT(changes(), ElementsAre("added 1")) << "corrections are not told";
}

TEST_F(DetectionTracksTest, LostTracksAreFoundWhereTheyMayBe) {
  settings_.use = DetectionUse::when_lost;
  picture({detection(kLeft)}, {track(1, kLeft)});
  picture({}, {lost(1)});
  picture({detection(kLeft, "bag")}, {lost(1), track(2, kLeft, "bag")});
  EXPECT_THAT(tracker_.moved, IsEmpty()) << "of another type";
  picture({detection(shifted(kLeft, 60))}, {track(1, shifted(kLeft, 60)), track(2, kLeft, "bag")});
  EXPECT_THAT(tracker_.moved, ElementsAre(Pair(1, shifted(kLeft, 60))));
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2"));
}

TEST_F(DetectionTracksTest, StartLeavesLostTracksAlone) {
  picture({detection(kLeft)}, {track(1, kLeft)});
  picture({}, {lost(1)});
  picture({detection(kLeft)}, {lost(1), track(2, kLeft)});
  EXPECT_THAT(tracker_.moved, IsEmpty());
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2"));
  // The tracker finds the first one again: there is one object.
  picture({}, {track(1, kLeft), track(2, kLeft)});
  EXPECT_THAT(changes(), ElementsAre("removed 2"));
  ASSERT_THAT(tracks_, SizeIs(1));
  EXPECT_EQ(tracks_[0].id, 1u);
}

TEST_F(DetectionTracksTest, WhoMovesFarIsNotStartedTwice) {
  picture({detection(kLeft)}, {track(1, kLeft)});
  picture({detection(shifted(kLeft, 100))},
          {track(1, shifted(kLeft, 100)), track(2, shifted(kLeft, 100))});
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2", "removed 2"));
  EXPECT_THAT(tracks_, SizeIs(1));
}

TEST_F(DetectionTracksTest, WhoIsOnlyPassedStays) {
  picture({detection(kLeft), detection(kRight)}, {track(1, kLeft), track(2, kRight)});
  picture({}, {track(1, kRight), track(2, kRight)});
  EXPECT_THAT(tracks_, SizeIs(2)) << "one person in front of another";
}

TEST_F(DetectionTracksTest, EndsWhatIsNotConfirmedWhileDetectionsCome) {
  settings_.timeout = 3 * GST_SECOND;
  targets_.add(kRight, "Anna", {});
  picture({detection(kLeft)}, {track(1, kRight, "Anna"), track(2, kLeft)});
  const std::vector<Track> both = {track(1, kRight, "Anna"), track(2, kLeft)};
  for (int i = 0; i < 9; ++i) picture({}, both);
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2")) << "nothing is detected at all";
  const BoundingBox third{100, 120, 40, 80};
  picture({detection(third)}, {track(1, kRight, "Anna"), track(3, third)});
  EXPECT_THAT(changes(), ElementsAre("added 3", "removed 2")) << "Anna is the user's";
  settings_.timeout = 0;
  for (int i = 0; i < 9; ++i) {
    picture({detection(kLeft)}, {track(1, kRight, "Anna"), track(3, third), track(4, kLeft)});
  }
  EXPECT_THAT(changes(), ElementsAre("added 4")) << "never";
}

TEST_F(DetectionTracksTest, SmallDetectionsAreNotTracked) {
  picture({detection({10, 10, 7, 30}), detection({315, 10, 30, 30})}, {});
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(DetectionTracksTest, PicturesMayGetAnotherSize) {
  picture({detection(kLeft)}, {track(1, kLeft)});
  const BoundingBox twice{20, 40, 80, 160};
  detections_.before(settings_, std::vector{detection(twice)}, 640, 480, time_, targets_,
                     warnings_);
  EXPECT_THAT(detections_.confirmed(), ElementsAre(Pair(1, 0)));
}

TEST_F(DetectionTracksTest, PicturesMayGetAnotherSizeWhileNothingIsDetected) {
  picture({detection(kLeft)}, {track(1, kLeft)});
  const BoundingBox twice{20, 40, 80, 160};
  std::vector<Track> tracks = {track(1, twice)};
  detections_.before(settings_, {}, 640, 480, time_, targets_, warnings_);
  detections_.after(tracks, time_, targets_);
  detections_.before(settings_, std::vector{detection(twice)}, 640, 480, time_, targets_,
                     warnings_);
  EXPECT_THAT(detections_.confirmed(), ElementsAre(Pair(1, 0)));
}

TEST_F(DetectionTracksTest, IgnoredMeansIgnored) {
  settings_.use = DetectionUse::ignore;
  picture({detection(kLeft)}, {});
  EXPECT_THAT(changes(), IsEmpty());
}

}  // namespace
}  // namespace cltrack::test
