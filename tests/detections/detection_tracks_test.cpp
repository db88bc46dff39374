// SPDX-License-Identifier: LGPL-2.1-or-later
#include "detections/detection_tracks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "detections/recording_targets.h"
#include "ops/filter/filter_colors.h"

namespace cltrack::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr BoundingBox kLeft{10, 20, 40, 80}, kRight{200, 20, 40, 80};

BoundingBox shifted(const BoundingBox& box, float dx) {
  return {box.x + dx, box.y, box.width, box.height};
}

class DetectionTracksTest : public testing::Test {
 protected:
  DetectionTracksTest() { config_.use = DetectionUse::start; }

  // A picture, a second after the one before: what is detected, and where the tracker then finds
  // each track; without a box it is lost.
  void picture(const std::vector<DetectedObject>& detections, std::vector<Track> tracks) {
    time_ += step_;
    pass(detections, tracks, 320, 240);
    tracks_ = tracks;
  }
  void pass(const std::vector<DetectedObject>& detections, std::vector<Track>& tracks, int width,
            int height) {
    DetectedFrame detected;
    detected.detections = detections;
    detected.is_round = is_round_;
    detected.infers_rounds = infers_rounds_;
    detected.interval = interval_;
    for (const DetectedObject& one : detections) detected.labels.insert(one.label);
    const DetectionFrame frame{width, height, time_, !std::exchange(breaks_, false), picture_};
    detections_.before(config_, detected, frame, targets_, warnings_);
    detections_.after(tracks, targets_);
  }
  static DetectedObject detection(const BoundingBox& box, const std::string& label = "person") {
    return {box, label};
  }
  static Track track(std::uint64_t id, const BoundingBox& box,
                     const std::string& label = "person") {
    Track one;
    one.id = id;
    one.label = label;
    one.box = box;
    one.confidence = 0.9f;
    one.state = TrackState::tracking;
    return one;
  }
  static Track lost(std::uint64_t id, const std::string& label = "person") {
    Track one;
    one.id = id;
    one.label = label;
    return one;
  }
  // Five times a second; person 1 stands at kLeft.
  void run_detector(int rounds) {
    step_ = kSecond / 5;
    for (int i = 0; i < rounds; ++i) picture({detection(kLeft)}, {track(1, kLeft)});
    EXPECT_THAT(changes(), ElementsAre("added 1"));
  }
  std::vector<TrackState> states() const {
    std::vector<TrackState> all;
    for (const Track& track : tracks_) all.push_back(track.state);
    return all;
  }
  std::vector<std::string> changes() { return std::exchange(targets_.changes, {}); }

  RecordingTargets targets_;
  DetectionTracks detections_;
  DetectionConfig config_;
  std::vector<std::string> warnings_;
  std::vector<Track> tracks_;
  std::uint64_t time_ = 0, step_ = kSecond;
  bool is_round_ = false, infers_rounds_ = true;
  int interval_ = 0;
  bool breaks_ = false;  // the next frame does not follow on
  ColorPicture picture_ = {};
};

TEST_F(DetectionTracksTest, EachObjectStartsOneTrack) {
  picture({detection(kLeft), detection(kRight, "car")}, {track(1, kLeft), track(2, kRight, "car")});
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2"));
  EXPECT_THAT(targets_.labels, ElementsAre("person", "car"));
  EXPECT_EQ(targets_.boxes.at(1), kRight);
  EXPECT_THAT(detections_.confirmed(), UnorderedElementsAre(Pair(1, 0), Pair(2, 1)));

  picture({detection(shifted(kRight, 8), "car"), detection(shifted(kLeft, 8))},
          {track(1, shifted(kLeft, 8)), track(2, shifted(kRight, 8), "car")});
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(detections_.confirmed(), UnorderedElementsAre(Pair(1, 1), Pair(2, 0)));
  EXPECT_THAT(targets_.moved, IsEmpty()) << "start moves nothing";

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

// Another part of the stream: who is who is known by looks alone.
TEST_F(DetectionTracksTest, TracksAreFoundAgainByLooksAfterABreak) {
  Image image(320, 240);
  picture_ = luma_picture(image.view());
  const auto paint = [&](const BoundingBox& box, int value) {
    for (int y = static_cast<int>(box.y); y < static_cast<int>(box.bottom()); ++y) {
      for (int x = static_cast<int>(box.x); x < static_cast<int>(box.right()); ++x) {
        image.row(y)[x] = static_cast<std::uint8_t>(value + (x + y) % 2);
      }
    }
  };
  config_.use = DetectionUse::start_and_correct;
  step_ = kSecond / 5;
  const auto see = [&](const BoundingBox& dark, const BoundingBox& light) {
    std::fill_n(image.row(0), 320 * 240, std::uint8_t{120});
    paint(dark, 20);
    paint(light, 230);
    picture({detection(light), detection(dark)}, {track(1, dark), track(2, light)});
  };
  std::uint64_t dark = 0;
  for (int i = 0; i < 5; ++i) see(kLeft, kRight);
  for (const auto& [id, index] : detections_.confirmed()) {
    if (index == 1) dark = id;
  }
  ASSERT_THAT(changes(), ElementsAre("added 1", "added 2"));
  breaks_ = true;
  see(shifted(kRight, 40), shifted(kLeft, -40));
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(detections_.confirmed(), Contains(Pair(dark, 1)));
  EXPECT_THAT(detections_.confirmed(), SizeIs(2));
}

TEST_F(DetectionTracksTest, WhatTheUserNamedIsConfirmedWhateverItsLabel) {
  targets_.add(kLeft, "Anna");
  picture({}, {track(1, kLeft, "Anna")});
  picture({detection(kLeft)}, {track(1, kLeft, "Anna")});
  EXPECT_THAT(changes(), ElementsAre("added 1"));
  EXPECT_THAT(detections_.confirmed(), ElementsAre(Pair(1, 0)));
}

TEST_F(DetectionTracksTest, CorrectsWhatIsOff) {
  config_.use = DetectionUse::start_and_correct;
  picture({detection(kLeft)}, {track(1, kLeft)});
  picture({detection(shifted(kLeft, 4))}, {track(1, kLeft)});
  EXPECT_THAT(targets_.moved, IsEmpty()) << "it is in place";
  picture({detection(shifted(kLeft, 15))}, {track(1, shifted(kLeft, 15))});
  EXPECT_THAT(targets_.moved, ElementsAre(Pair(1, shifted(kLeft, 15))));
  EXPECT_THAT(changes(), ElementsAre("added 1")) << "corrections are not told";
}

TEST_F(DetectionTracksTest, LostTracksAreFoundWhereTheyMayBe) {
  config_.use = DetectionUse::when_lost;
  picture({detection(kLeft)}, {track(1, kLeft)});
  picture({}, {lost(1)});
  picture({detection(kLeft, "bag")}, {lost(1), track(2, kLeft, "bag")});
  EXPECT_THAT(targets_.moved, IsEmpty()) << "of another type";
  picture({detection(shifted(kLeft, 60))}, {track(1, shifted(kLeft, 60)), track(2, kLeft, "bag")});
  EXPECT_THAT(targets_.moved, ElementsAre(Pair(1, shifted(kLeft, 60))));
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2"));
}

TEST_F(DetectionTracksTest, StartLeavesLostTracksAlone) {
  picture({detection(kLeft)}, {track(1, kLeft)});
  picture({}, {lost(1)});
  picture({detection(kLeft)}, {lost(1), track(2, kLeft)});
  EXPECT_THAT(targets_.moved, IsEmpty());
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2"));
  // The tracker finds the first one again, at the place of the second one.
  picture({}, {track(1, kLeft), track(2, kLeft)});
  EXPECT_THAT(changes(), IsEmpty()) << "nothing is deleted for something that returns";
  EXPECT_THAT(states(), ElementsAre(TrackState::uncertain, TrackState::tracking));
}

TEST_F(DetectionTracksTest, WhoIsOnlyPassedStays) {
  picture({detection(kLeft), detection(kRight)}, {track(1, kLeft), track(2, kRight)});
  picture({}, {track(1, kRight), track(2, kRight)});
  EXPECT_THAT(tracks_, SizeIs(2)) << "one person in front of another";
}

// A detector on every frame, five a second: two hits make a track.
TEST_F(DetectionTracksTest, TentativeTracksAreToldOfByNobody) {
  run_detector(5);
  picture({detection(kLeft), detection(kRight)}, {track(1, kLeft), track(2, kRight)});
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(tracks_, SizeIs(1));
  picture({detection(kLeft), detection(kRight)}, {track(1, kLeft), track(2, kRight)});
  EXPECT_THAT(changes(), ElementsAre("added 2"));
  EXPECT_THAT(tracks_, SizeIs(2));
}

// On every frame, 25 a second: the first hits are of nearly one picture. A miss among them does not
// count against it.
TEST_F(DetectionTracksTest, HitsOfAFastDetectorTakeTime) {
  step_ = kSecond / 25;
  const std::vector<Track> both = {track(1, kLeft), track(2, kRight)};
  for (int i = 0; i < 10; ++i) picture({detection(kLeft)}, {track(1, kLeft)});
  changes();
  for (int i = 0; i < 2; ++i) picture({detection(kLeft), detection(kRight)}, both);
  picture({detection(kLeft)}, both);
  picture({detection(kLeft), detection(kRight)}, both);
  EXPECT_THAT(tracks_, SizeIs(1));
  EXPECT_THAT(changes(), IsEmpty());
  picture({detection(kLeft), detection(kRight)}, both);
  EXPECT_THAT(tracks_, SizeIs(2));
  EXPECT_THAT(changes(), ElementsAre("added 2"));
}

TEST_F(DetectionTracksTest, AMomentOfAFastDetectorIsNotTold) {
  step_ = kSecond / 25;
  for (int i = 0; i < 10; ++i) picture({detection(kLeft)}, {track(1, kLeft)});
  changes();
  for (int i = 0; i < 7; ++i) {
    std::vector<DetectedObject> found = {detection(kLeft)};
    if (i < 4) found.push_back(detection(kRight));
    picture(found, {track(1, kLeft), track(2, kRight)});
    EXPECT_THAT(tracks_, SizeIs(1));
  }
  picture({detection(kLeft)}, {track(1, kLeft)});
  EXPECT_THAT(targets_.removed, ElementsAre(2));
  EXPECT_THAT(changes(), IsEmpty());
}

TEST_F(DetectionTracksTest, TheNumberOfHitsCanBeSet) {
  config_.hits = 3;
  for (int i = 0; i < 2; ++i) picture({detection(kLeft)}, {track(1, kLeft)});
  EXPECT_THAT(tracks_, IsEmpty());
  picture({detection(kLeft)}, {track(1, kLeft)});
  EXPECT_THAT(changes(), ElementsAre("added 1"));
}

TEST_F(DetectionTracksTest, OneFalseDetectionIsGoneAfterOneRound) {
  run_detector(5);
  picture({detection(kLeft), detection(kRight)}, {track(1, kLeft), track(2, kRight)});
  picture({detection(kLeft)}, {track(1, kLeft)});
  EXPECT_THAT(targets_.removed, ElementsAre(2));
  EXPECT_THAT(changes(), IsEmpty()) << "nobody has heard of it";
}

// The detection on which it began was inaccurate: there is one object.
TEST_F(DetectionTracksTest, ATentativeTrackGetsWhatTheOneBesideItLeaves) {
  run_detector(5);
  const BoundingBox beside = shifted(kLeft, 26), between = shifted(kLeft, 14);
  picture({detection(beside)}, {track(1, kLeft), track(2, beside)});
  EXPECT_THAT(targets_.boxes, SizeIs(2));
  picture({detection(between)}, {track(1, kLeft), track(2, beside)});
  EXPECT_THAT(detections_.confirmed(), ElementsAre(Pair(1, 0)));
  EXPECT_THAT(targets_.removed, ElementsAre(2));
  EXPECT_THAT(changes(), IsEmpty());
}

// On every frame, 25 a second.
TEST_F(DetectionTracksTest, WhatWasDetectedForAMomentIsMissedForAMoment) {
  step_ = kSecond / 25;
  const auto pass_rounds = [&](int rounds, bool both) {
    for (int i = 0; i < rounds; ++i) {
      std::vector<DetectedObject> found = {detection(kLeft)};
      if (both) found.push_back(detection(kRight));
      picture(found, {track(1, kLeft), track(2, kRight)});
    }
  };
  pass_rounds(5, false);
  pass_rounds(5, true);
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2"));
  pass_rounds(4, false);
  EXPECT_THAT(changes(), IsEmpty());
  pass_rounds(2, false);
  EXPECT_THAT(changes(), ElementsAre("removed 2"));
}

TEST_F(DetectionTracksTest, WhatWasDetectedForLongerIsWaitedFor) {
  step_ = kSecond / 25;
  for (int i = 0; i < 20; ++i) {
    picture({detection(kLeft), detection(kRight)}, {track(1, kLeft), track(2, kRight)});
  }
  changes();
  for (int i = 0; i < 100; ++i) picture({detection(kLeft)}, {track(1, kLeft), track(2, kRight)});
  EXPECT_THAT(changes(), IsEmpty());
}

TEST_F(DetectionTracksTest, OfTwoThatTakeTurnsTheYoungerOneEnds) {
  const BoundingBox beside = shifted(kLeft, 16);
  const std::vector<Track> both = {track(1, kLeft), track(2, beside)};
  step_ = kSecond / 5;
  for (int i = 0; i < 5; ++i) picture({detection(kLeft), detection(beside)}, both);
  EXPECT_THAT(changes(), ElementsAre("added 1", "added 2"));
  for (int i = 0; i < 20; ++i) picture({detection(kLeft)}, both);
  EXPECT_THAT(changes(), IsEmpty()) << "it is hidden";
  picture({detection(kLeft), detection(beside)}, both);
  for (int i = 0; i < 3; ++i) picture({detection(i % 2 == 0 ? kLeft : beside)}, both);
  EXPECT_THAT(changes(), IsEmpty());
  for (int i = 0; i < 4; ++i) picture({detection(i % 2 == 0 ? beside : kLeft)}, both);
  EXPECT_THAT(changes(), ElementsAre("removed 2"));
}

// An object that stands still, of which each detection is somewhere else; the tracker keeps each
// track where it was put.
TEST_F(DetectionTracksTest, InaccurateDetectionsMakeFewDoubles) {
  config_.use = DetectionUse::start_and_correct;
  step_ = kSecond / 25;
  std::mt19937 random(1);
  const auto noise = [&](float most) {
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<float>(random() % 1000) / 500 - 1;
    return most * sum / 2;
  };
  const BoundingBox object{140, 80, 40, 80};
  std::map<std::uint64_t, BoundingBox> places;
  int doubles = 0;
  for (int i = 0; i < 500; ++i) {
    const BoundingBox box{object.x + noise(12), object.y + noise(24), object.width + noise(6),
                          object.height + noise(12)};
    std::vector<Track> tracks;
    const std::size_t seeds = targets_.boxes.size();
    for (const auto& [id, place] : places) {
      if (targets_.has(id)) tracks.push_back(track(id, place));
    }
    if (random() % 5 > 0) {
      targets_.moved.clear();
      picture({detection(box)}, tracks);
      for (const auto& [id, place] : targets_.moved) places[id] = place;
      if (targets_.boxes.size() > seeds) places[targets_.boxes.size()] = box;
    } else {
      is_round_ = true;
      picture({}, tracks);
    }
    doubles += tracks_.size() > 1;
  }
  EXPECT_LT(doubles, 100) << "of 500 frames";
}

TEST_F(DetectionTracksTest, WhatTwoRoundsHaveMissedIsUncertain) {
  run_detector(5);
  const std::vector<Track> one = {track(1, kLeft)};
  is_round_ = true;  // it finds nothing, and says so
  picture({}, one);
  EXPECT_THAT(states(), ElementsAre(TrackState::tracking));
  picture({}, one);
  EXPECT_THAT(states(), ElementsAre(TrackState::uncertain));
  EXPECT_STREQ(tracks_[0].reason, "unconfirmed");
  EXPECT_LT(tracks_[0].confidence, 0.5f);
  picture({detection(kLeft)}, one);
  EXPECT_THAT(states(), ElementsAre(TrackState::tracking));
  EXPECT_THAT(changes(), IsEmpty());
}

TEST_F(DetectionTracksTest, EndsAlsoWhereNothingIsDetectedAnyMore) {
  run_detector(5);
  targets_.add(kRight, "Anna");
  const std::vector<Track> both = {track(1, kLeft), track(2, kRight, "Anna")};
  changes();
  for (int i = 0; i < 24; ++i) picture({}, both);
  EXPECT_THAT(changes(), IsEmpty());
  for (int i = 0; i < 3; ++i) picture({}, both);
  EXPECT_THAT(changes(), ElementsAre("removed 1")) << "Anna is the application's";
}

TEST_F(DetectionTracksTest, NothingEndsOnFramesThatNoDetectorHasSeen) {
  infers_rounds_ = false;
  run_detector(5);
  for (int i = 0; i < 90; ++i) picture({}, {track(1, kLeft)});
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(states(), ElementsAre(TrackState::tracking));
}

TEST_F(DetectionTracksTest, NothingThatIsConfirmedEndsWithoutATimeout) {
  config_.timeout = 0;
  run_detector(5);
  picture({detection(kRight)}, {track(1, kLeft), track(2, kRight)});
  for (int i = 0; i < 90; ++i) picture({}, {track(1, kLeft)});
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(targets_.removed, ElementsAre(2)) << "it was tentative";
}

// Labels are any bytes that upstream likes.
TEST_F(DetectionTracksTest, EachDetectionMayHaveALabelOfItsOwn) {
  for (int i = 0; i < 2000; ++i) picture({detection({1, 1, 5, 5}, std::to_string(i))}, {});
  run_detector(5);
}

TEST_F(DetectionTracksTest, ADetectorThatRanOnceEndsNothing) {
  picture({detection(kLeft)}, {track(1, kLeft)});
  for (int i = 0; i < 90; ++i) picture({}, {track(1, kLeft)});
  EXPECT_THAT(changes(), ElementsAre("added 1"));
  EXPECT_THAT(states(), ElementsAre(TrackState::tracking));
}

TEST_F(DetectionTracksTest, WhatTheTrackerFindsAgainWaitsForADetection) {
  run_detector(5);
  interval_ = 100;  // no round for now
  picture({}, {lost(1)});
  picture({}, {track(1, kRight)});
  EXPECT_THAT(states(), ElementsAre(TrackState::uncertain));
  picture({detection(kRight)}, {track(1, kRight)});
  EXPECT_THAT(states(), ElementsAre(TrackState::tracking));
}

TEST_F(DetectionTracksTest, UnsureDetectionsOnlyConfirm) {
  DetectedObject unsure = detection(kLeft);
  unsure.confidence = 0.3f;
  picture({unsure}, {});
  EXPECT_THAT(changes(), IsEmpty());
  picture({detection(kLeft)}, {track(1, kLeft)});
  picture({unsure}, {track(1, kLeft)});
  EXPECT_THAT(detections_.confirmed(), ElementsAre(Pair(1, 0)));
}

// Legs, and somebody with what stands beside.
TEST_F(DetectionTracksTest, UnsureDetectionsOfAnotherSizeDoNotConfirm) {
  config_.use = DetectionUse::start_and_correct;
  for (const BoundingBox& box : {BoundingBox{10, 68, 40, 32}, BoundingBox{10, 20, 110, 80}}) {
    detections_.reset();
    targets_ = {};
    ASSERT_GE(overlap(box, kLeft), 0.3f) << "a sure one would be its own";
    for (int i = 0; i < 2; ++i) picture({detection(kLeft)}, {track(1, kLeft)});
    DetectedObject unsure = detection(box);
    unsure.confidence = 0.3f;
    picture({unsure}, {track(1, kLeft)});
    EXPECT_THAT(detections_.confirmed(), IsEmpty());
    EXPECT_EQ(tracks_[0].box, kLeft);
    unsure.confidence = 0.5f;
    picture({unsure}, {track(1, kLeft)});
    EXPECT_THAT(detections_.confirmed(), ElementsAre(Pair(1, 0)));
  }
}

TEST_F(DetectionTracksTest, PartsOfAnObjectStartNoTrack) {
  picture({detection(kLeft), detection({15, 60, 30, 40})}, {track(1, kLeft)});
  EXPECT_THAT(changes(), ElementsAre("added 1"));
}

// The tracker has the upper half of what the detector calls the object.
TEST_F(DetectionTracksTest, BoxesAreThoseOfTheDetector) {
  config_.use = DetectionUse::start_and_correct;
  const BoundingBox half{10, 20, 40, 45};
  picture({detection(kLeft)}, {track(1, half)});
  EXPECT_EQ(tracks_[0].box, kLeft);
  picture({}, {track(1, shifted(half, 8))});
  EXPECT_EQ(tracks_[0].box, shifted(kLeft, 8));
}

TEST_F(DetectionTracksTest, VelocityLeadsToTheNextDetection) {
  config_.use = DetectionUse::start_and_correct;
  picture({detection(kLeft)}, {track(1, kLeft)});
  picture({detection(shifted(kLeft, 12))}, {track(1, shifted(kLeft, 12))});
  // The tracker stays behind, on somebody who stands there.
  picture({detection(shifted(kLeft, 26)), detection(shifted(kLeft, 8))},
          {track(1, shifted(kLeft, 26)), track(2, shifted(kLeft, 8))});
  EXPECT_THAT(detections_.confirmed(), UnorderedElementsAre(Pair(1, 0), Pair(2, 1)));
  EXPECT_THAT(targets_.moved, ElementsAre(Pair(1, shifted(kLeft, 26))));
}

// A detector's boxes tremble: somebody who stands still, whom the tracker has left, is where he
// was, and not where the latest two boxes would lead.
TEST_F(DetectionTracksTest, AVelocityIsOfMoreThanTwoFrames) {
  step_ = kSecond / 25;
  for (int i = 0; i < 50; ++i) {
    const BoundingBox box = shifted(kLeft, i % 2 == 0 ? 0.0f : 6.0f);
    picture({detection(box)}, {track(1, box)});
  }
  changes();
  for (int i = 0; i < 25; ++i) picture({}, {track(1, kRight)});
  picture({detection(kLeft)}, {track(1, kRight)});
  EXPECT_THAT(detections_.confirmed(), ElementsAre(Pair(1, 0)));
  EXPECT_THAT(changes(), IsEmpty());
}

// One is bright above, the other one below. They pass each other, and by their places alone each
// would have turned round.
TEST_F(DetectionTracksTest, AppearanceTellsWhoIsWho) {
  std::vector<std::uint8_t> pixels(320 * 240, 128);
  picture_.width = 320;
  picture_.height = 240;
  picture_.components[0] = {.data = pixels.data(), .stride = 320};
  const auto draw = [&](const BoundingBox& box, int upper) {
    for (int y = static_cast<int>(box.y); y < static_cast<int>(box.bottom()); ++y) {
      const int value = y < static_cast<int>(box.center_y()) ? upper : 255 - upper;
      for (int x = static_cast<int>(box.x); x < static_cast<int>(box.right()); ++x) {
        pixels[static_cast<std::size_t>(y * 320 + x)] = static_cast<std::uint8_t>(value);
      }
    }
  };
  config_.use = DetectionUse::start_and_correct;
  const BoundingBox left = kLeft, right = shifted(kLeft, 60);
  draw(left, 250), draw(right, 5);
  picture({detection(left), detection(right)}, {track(1, left), track(2, right)});
  step_ = 2 * kSecond;
  const BoundingBox middle_left = shifted(kLeft, 16), middle_right = shifted(kLeft, 44);
  draw(middle_left, 5), draw(middle_right, 250);
  picture({detection(middle_left), detection(middle_right)},
          {track(1, middle_right), track(2, middle_left)});
  EXPECT_THAT(detections_.confirmed(), UnorderedElementsAre(Pair(2, 0), Pair(1, 1)));
}

TEST_F(DetectionTracksTest, APlaceHasOneOwner) {
  run_detector(5);
  picture({detection(kLeft), detection(kRight)}, {track(1, kLeft), track(2, kRight)});
  picture({detection(kLeft), detection(kRight)}, {track(1, kLeft), track(2, kRight)});
  picture({detection(kRight)}, {track(1, kRight), track(2, kRight)});
  EXPECT_THAT(states(), ElementsAre(TrackState::uncertain, TrackState::tracking));
}

TEST(DetectionRoundsTest, LearnsHowOftenTheDetectorRuns) {
  DetectionRounds rounds;
  double now = 0;
  const auto frames = [&](int count, bool found) {  // every fifth may have a detection
    int seen = 0;
    for (int i = 0; i < count; ++i, now += 0.04) {
      const bool ran = found && i % 5 == 0;
      const bool is_round = rounds.see(now, ran, 0);
      EXPECT_TRUE(is_round || !ran);
      seen += is_round;
    }
    return seen;
  };
  EXPECT_EQ(frames(50, true), 10);
  EXPECT_NEAR(rounds.interval(), 0.2, 1e-6);
  EXPECT_NEAR(frames(500, false), 100, 2) << "it finds nothing, but runs";
  EXPECT_EQ(frames(50, true), 10);
  EXPECT_NEAR(rounds.interval(), 0.2, 1e-6);
  now -= 10;  // a seek
  EXPECT_NEAR(frames(50, false), 10, 2);
  now += 100;
  EXPECT_LE(frames(50, false), 12) << "a gap is one round";
}

TEST(DetectionRoundsTest, KnowsNothingOfADetectorThatHasNotRun) {
  DetectionRounds rounds;
  EXPECT_FALSE(rounds.see(0, false, 1));
  EXPECT_EQ(rounds.interval(), 0);
  EXPECT_TRUE(rounds.see(1, true, 2));
  EXPECT_FALSE(rounds.see(2, false, 2));
  EXPECT_TRUE(rounds.see(3, false, 2)) << "every second frame, as it was told";
}

TEST_F(DetectionTracksTest, ADetectorAtWorkFindsItsTracksAgain) {
  config_.use = DetectionUse::start_and_correct;
  run_detector(3);
  EXPECT_TRUE(detections_.will_find_again());
  for (int i = 0; i < 5; ++i) picture({}, {track(1, kLeft)});
  EXPECT_TRUE(detections_.will_find_again()) << "it was seen at work a second ago";
  picture({}, {track(1, kLeft)});
  EXPECT_FALSE(detections_.will_find_again());
  picture({detection(kLeft)}, {track(1, kLeft)});
  EXPECT_TRUE(detections_.will_find_again());

  config_.use = DetectionUse::start;
  picture({detection(kLeft)}, {track(1, kLeft)});
  EXPECT_FALSE(detections_.will_find_again()) << "start leaves lost tracks to the tracker";
  config_.use = DetectionUse::start_and_correct;
  const std::uint64_t anna = targets_.add(kRight, "Anna");
  picture({detection(kLeft)}, {track(1, kLeft), track(anna, kRight, "Anna")});
  picture({detection(kLeft)}, {track(1, kLeft), track(anna, kRight, "Anna")});
  EXPECT_FALSE(detections_.will_find_again()) << "nobody detects what the application has added";
}

TEST_F(DetectionTracksTest, SmallDetectionsAreNotTracked) {
  picture({detection({10, 10, 7, 30}), detection({315, 10, 30, 30})}, {});
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(DetectionTracksTest, PicturesMayGetAnotherSize) {
  picture({detection(kLeft)}, {track(1, kLeft)});
  const BoundingBox twice{20, 40, 80, 160};
  std::vector<Track> tracks = {track(1, twice)};
  pass({detection(twice)}, tracks, 640, 480);
  EXPECT_THAT(detections_.confirmed(), ElementsAre(Pair(1, 0)));
}

TEST_F(DetectionTracksTest, PicturesMayGetAnotherSizeWhileNothingIsDetected) {
  picture({detection(kLeft)}, {track(1, kLeft)});
  const BoundingBox twice{20, 40, 80, 160};
  std::vector<Track> tracks = {track(1, twice)};
  pass({}, tracks, 640, 480);
  pass({detection(twice)}, tracks, 640, 480);
  EXPECT_THAT(detections_.confirmed(), ElementsAre(Pair(1, 0)));
}

TEST_F(DetectionTracksTest, WhereThereIsNoRoomOneIsTriedOnEachFrame) {
  targets_.most = 1;
  std::vector<DetectedObject> many;
  for (const float x : {0.0f, 60.0f, 120.0f, 180.0f, 240.0f})
    many.push_back(detection({x, 9, 40, 80}));
  for (int i = 0; i < 3; ++i) picture(many, {track(1, many[0].box)});
  EXPECT_EQ(targets_.refused, 3);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("there are enough"))) << "said once";
}

// There are more tracks than a detection is compared with.
TEST_F(DetectionTracksTest, CrowdsKeepTheirIds) {
  config_.use = DetectionUse::start_and_correct;
  std::vector<DetectedObject> crowd;
  std::vector<Track> tracks;
  for (int i = 0; i < 200; ++i) {
    const auto column = static_cast<float>(i % 20), row = static_cast<float>(i / 20);
    crowd.push_back(detection({16 * column, 24 * row, 12, 20}));
    tracks.push_back(track(static_cast<std::uint64_t>(i) + 1, crowd.back().box));
  }
  picture(crowd, tracks);
  for (DetectedObject& one : crowd) one.box.x += 4;
  std::ranges::reverse(crowd);
  picture(crowd, tracks);
  EXPECT_THAT(detections_.confirmed(), SizeIs(200));
  for (const auto& [id, index] : detections_.confirmed()) EXPECT_EQ(id, 200 - index);
}

TEST_F(DetectionTracksTest, WhatADetectionHasStartedIsLostOutsideOfTheRegion) {
  config_.region.within = {{{0, 0}, {0.5f, 0}, {0.5f, 1}, {0, 1}}};
  targets_.add(kRight, "Anna");
  const Track anna = track(1, kRight, "Anna");
  picture({detection(kLeft)}, {anna, track(2, kLeft)});
  EXPECT_THAT(states(), ElementsAre(TrackState::tracking, TrackState::tracking));
  picture({}, {anna, track(2, kRight)});
  EXPECT_THAT(states(), ElementsAre(TrackState::tracking, TrackState::lost))
      << "Anna is the application's";
  EXPECT_STREQ(tracks_[1].reason, "region");
  EXPECT_FALSE(tracks_[1].box.is_valid());
  picture({}, {anna, track(2, kLeft)});
  EXPECT_THAT(states(), ElementsAre(TrackState::tracking, TrackState::tracking));
}

TEST_F(DetectionTracksTest, IgnoredMeansIgnored) {
  config_.use = DetectionUse::ignore;
  picture({detection(kLeft)}, {});
  EXPECT_THAT(changes(), IsEmpty());
}

TEST(CountDetectionsTest, TypesConfidenceAndRegionChoose) {
  DetectionConfig config;
  config.types = {"car", "dog"};
  config.least_confidence = 0.5f;
  config.region.within = {{{0, 0}, {0.5f, 0}, {0.5f, 1}, {0, 1}}};
  const std::vector<DetectedObject> found = {
      {kLeft, "car", 0.4f}, {kLeft, "bag", 0.9f}, {kRight, "car", 0.9f}, {kLeft, "dog", 0.5f}};
  const DetectedFrame frame = count_detections(config, found, true, 320, 240);
  EXPECT_THAT(frame.indices, ElementsAre(3));
  ASSERT_THAT(frame.detections, SizeIs(1));
  EXPECT_EQ(frame.detections[0].label, "dog");
  EXPECT_THAT(frame.labels, ElementsAre("bag", "car", "dog")) << "their detectors ran";
  EXPECT_TRUE(frame.is_round);
  EXPECT_EQ(frame.left_out, 0U);
}

TEST(CountDetectionsTest, OfTooManyTheMostConfidentOnesCount) {
  std::vector<DetectedObject> found(kMostDetections + 10, {kLeft, "car", 0.6f});
  found[0].confidence = 0.2f;
  found.back().confidence = 0.9f;
  const DetectedFrame frame = count_detections({}, found, false, 320, 240);
  EXPECT_EQ(frame.left_out, 10U);
  ASSERT_THAT(frame.indices, SizeIs(kMostDetections));
  EXPECT_EQ(frame.indices.front(), 1U) << "of equal ones the first";
  EXPECT_EQ(frame.indices[kMostDetections - 2], kMostDetections - 1);
  EXPECT_EQ(frame.indices.back(), kMostDetections + 9);
  EXPECT_EQ(frame.detections.back().confidence, 0.9f);
}

TEST(CountDetectionsTest, NothingCountsThatIsIgnored) {
  DetectionConfig config;
  config.use = DetectionUse::ignore;
  const std::vector<DetectedObject> found = {{kLeft, "car"}};
  const DetectedFrame frame = count_detections(config, found, true, 320, 240);
  EXPECT_THAT(frame.detections, IsEmpty());
  EXPECT_FALSE(frame.is_round);
}

}  // namespace
}  // namespace cltrack::test
