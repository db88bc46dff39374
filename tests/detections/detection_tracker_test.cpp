// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks from detections as an application gets them, with trackers on a drawn video. What becomes
// of a track: detection_tracks_test.cpp.
#include "cltrack/detection_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "support/errors.h"
#include "support/scene.h"

namespace cltrack::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Detections = std::vector<DetectedObject>;

std::unique_ptr<Tracker> make_tld() {
  TldConfig config;
  config.threads = 1;
  config.placement.device = "host";
  return make_tld_tracker(config);
}

std::unique_ptr<Tracker> make_template() {
  TemplateConfig config;
  config.placement.device = "host";
  return make_template_tracker(config);
}

class DetectionTrackerTest : public testing::Test {
 protected:
  // The target on frame i, 25 a second.
  static BoundingBox place(int i) { return {40 + 2.0f * static_cast<float>(i), 60, 40, 40}; }
  Frame frame(int i) { return scene_.draw(place(i), std::int64_t{i} * 40'000'000); }
  static Detections person(int i) { return {{place(i), "person"}}; }

  std::vector<DetectedTrack> update(DetectionTracker& tracker, const Frame& frame,
                                    const std::optional<Detections>& detections) {
    std::optional<std::span<const DetectedObject>> found;
    if (detections) found = *detections;
    const auto tracks = tracker.update(frame, found);
    return {tracks.begin(), tracks.end()};
  }

  Scene scene_{320, 240};
};

TEST_F(DetectionTrackerTest, ATrackGoesOnBetweenDetections) {
  for (const auto& make : {make_tld, make_template}) {
    DetectionConfig config;
    config.types = {"person"};
    const auto tracker = make_detection_tracker(make(), config);
    for (int i = 0; i < 40; ++i) {
      SCOPED_TRACE(i);
      std::optional<Detections> found;
      // What does not count leaves the number of the one that does.
      if (i % 5 == 0) found = Detections{{place(0), "bag"}, {place(i), "person", 0.8f}};
      const auto tracks = update(*tracker, frame(i), found);
      ASSERT_THAT(tracks, SizeIs(1));
      EXPECT_EQ(tracks[0].id, 1U);
      EXPECT_EQ(tracks[0].label, "person");
      EXPECT_EQ(tracks[0].state, TrackState::tracking);
      EXPECT_GT(overlap(tracks[0].box, place(i)), 0.8f);
      EXPECT_EQ(tracks[0].detection, i % 5 == 0 ? std::optional<std::size_t>(1) : std::nullopt);
    }
  }
}

TEST_F(DetectionTrackerTest, WhatIsNotDetectedAnyMoreEnds) {
  DetectionConfig config;
  config.timeout = 1'000'000'000;
  const auto tracker = make_detection_tracker(make_tld(), config);
  for (int i = 0; i < 20; ++i) update(*tracker, frame(i), person(i));
  std::vector<DetectedTrack> tracks;
  for (int i = 20; i < 60; ++i) tracks = update(*tracker, frame(20), std::nullopt);
  ASSERT_THAT(tracks, SizeIs(1)) << "without times they count as usual, and detectors may rest";
  for (int i = 60; i < 62; ++i) tracks = update(*tracker, frame(i), Detections{});
  EXPECT_THAT(tracks, IsEmpty());
  for (int i = 62; i < 67; ++i) tracks = update(*tracker, frame(i), person(i));
  ASSERT_THAT(tracks, SizeIs(1));
  EXPECT_EQ(tracks[0].id, 2U);
}

TEST_F(DetectionTrackerTest, WhatIsMissedIsUncertain) {
  const auto tracker = make_detection_tracker(make_tld());
  for (int i = 0; i < 20; ++i) update(*tracker, frame(i), person(i));
  update(*tracker, frame(20), Detections{});
  const auto tracks = update(*tracker, frame(21), Detections{});
  ASSERT_THAT(tracks, SizeIs(1));
  EXPECT_EQ(tracks[0].state, TrackState::uncertain);
  EXPECT_STREQ(tracks[0].reason, "unconfirmed");
}

TEST_F(DetectionTrackerTest, BeginsAnewAfterAReset) {
  const auto tracker = make_detection_tracker(make_tld());
  std::vector<std::vector<DetectedTrack>> runs;
  for (int run = 0; run < 2; ++run) {
    std::vector<DetectedTrack>& all = runs.emplace_back();
    for (int i = 0; i < 12; ++i) {
      const auto tracks =
          update(*tracker, frame(i), i % 4 == 0 ? std::optional(person(i)) : std::nullopt);
      ASSERT_THAT(tracks, SizeIs(1));
      all.push_back(tracks[0]);
    }
    EXPECT_EQ(tracker->stats().frames, 12U);
    tracker->reset();
    EXPECT_THAT(update(*tracker, frame(0), std::nullopt), IsEmpty());
    EXPECT_EQ(tracker->stats().frames, 0U) << "there is nothing to follow";
  }
  for (std::size_t i = 0; i < runs[0].size(); ++i) {
    EXPECT_EQ(runs[0][i].id, 1U);
    EXPECT_EQ(runs[1][i].id, 1U);
    EXPECT_EQ(runs[0][i].box, runs[1][i].box);
    EXPECT_EQ(runs[0][i].confidence, runs[1][i].confidence);
  }
}

TEST_F(DetectionTrackerTest, BadDetectionsAreNamedAndChangeNothing) {
  const auto tracker = make_detection_tracker(make_tld());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::pair<DetectedObject, std::string> bad[] = {
      {{{nan, 0, 40, 40}, "person"}, "x=nan"},
      {{{0, 0, 0, 40}, "person"}, "width=0"},
      {{{0, 0, 40, -1}, "person"}, "height=-1"},
      {{{0, 0, 40, 40}, "person", nan}, "confidence is nan"},
      {{{0, 0, 40, 40}, "person", 1.5f}, "confidence is 1.5; allowed: 0 to 1"}};
  for (const auto& [object, part] : bad) {
    const Detections found = {{place(0), "person"}, object};
    expect_rejected([&] { update(*tracker, frame(0), found); }, {"detection 1: ", part, "allowed"});
  }
  EXPECT_EQ(update(*tracker, frame(0), person(0)).at(0).id, 1U);
}

TEST_F(DetectionTrackerTest, SmallAndOutsideIsNotTracked) {
  const auto tracker = make_detection_tracker(make_tld());
  const Detections found = {{{10, 10, 7, 30}, "person"}, {{-500, 0, 40, 40}, "person"}};
  EXPECT_THAT(update(*tracker, frame(0), found), IsEmpty());
}

TEST_F(DetectionTrackerTest, WarnsOfTooManyDetections) {
  const auto tracker = make_detection_tracker(make_tld());
  const Detections found(kMostDetections + 1, {place(0), "person"});
  for (int i = 0; i < 2; ++i) update(*tracker, frame(0), found);
  EXPECT_THAT(tracker->take_warnings(), testing::ElementsAre(HasSubstr("has 1001 detections")));
  EXPECT_THAT(tracker->take_warnings(), IsEmpty());
}

TEST_F(DetectionTrackerTest, RefusesWhatNoTrackerCanUse) {
  expect_rejected([] { make_detection_tracker(nullptr); }, {"need a tracker"});
  expect_rejected([] { make_detection_tracker(make_tld(), {.least_confidence = 2}); },
                  {"detections: least_confidence is 2", "0 to 1"});
  expect_rejected([] { make_detection_tracker(make_tld(), {.hits = -1}); }, {"hits is -1"});
  expect_rejected([] { make_detection_tracker(make_tld(), {.use = static_cast<DetectionUse>(7)}); },
                  {"use is 7", "start_and_correct"});
  DetectionConfig config;
  config.region.ignored = {{{0, 0}, {1, std::numeric_limits<float>::infinity()}, {1, 1}}};
  expect_rejected([&] { make_detection_tracker(make_tld(), config); }, {"region"});
  const auto tracker = make_detection_tracker(make_tld());
  expect_rejected([&] { update(*tracker, {}, Detections{}); }, {"without pixels"});
}

TEST_F(DetectionTrackerTest, CanBeInterrupted) {
  const auto tracker = make_detection_tracker(make_tld());
  update(*tracker, frame(0), person(0));
  Frame stopped = frame(1);
  std::stop_source source;
  source.request_stop();
  stopped.stop = source.get_token();
  EXPECT_EQ(error_of([&] { update(*tracker, stopped, person(1)); }).code(), ErrorCode::interrupted);
  EXPECT_THAT(update(*tracker, frame(2), person(2)), SizeIs(1));
}

}  // namespace
}  // namespace cltrack::test
