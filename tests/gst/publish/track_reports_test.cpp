// SPDX-License-Identifier: LGPL-2.1-or-later
// Messages, and when there is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <vector>

#include "../support/gst_ptr.h"
#include "publish/track_json.h"
#include "publish/track_reports.h"

namespace cltrack::gst {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Json = nlohmann::json;

const Picture kPicture{"cam1", 200, 100, 1200000000, "2026-01-02T03:04:05Z"};
const Stamp kStamp{17, "f00"};

TrackRegion track() {
  return {.id = 7,
          .label = "car",
          .box = {20, 10, 40, 50},
          .confidence = 0.9f,
          .state = TrackState::tracking,
          .age = 31};
}

Json tracks_of(const Picture& picture, const std::vector<TrackRegion>& regions) {
  return Json::parse(tracks_json(picture, regions, kStamp));
}

TEST(TrackJson, HasTheFieldsOfGvametaconvertAndOurs) {
  EXPECT_EQ(tracks_of(kPicture, {track()}), Json::parse(R"({
    "resolution": {"width": 200, "height": 100}, "source": "cam1", "timestamp": 1200000000,
    "system_timestamp": "2026-01-02T03:04:05Z", "tags": {},
    "objects": [{"x": 20, "y": 10, "w": 40, "h": 50, "region_id": 7, "id": 7, "roi_type": "car",
      "detection": {"bounding_box": {"x_min": 0.1, "x_max": 0.3, "y_min": 0.1, "y_max": 0.6},
                    "confidence": 0.9, "label": "car"},
      "cltrack": {"state": "tracking", "age": 31}}],
    "cltrack": {"run": "f00", "sequence": 17}})"));
}

TEST(TrackJson, IsOneLine) {
  TrackRegion region = track();
  region.label = "a\nb\"c";
  const std::string text = tracks_json(kPicture, std::vector{region}, kStamp);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(Json::parse(text)["objects"][0]["roi_type"], "a\nb\"c");
}

TEST(TrackJson, WhatIsNotKnownIsLeftOut) {
  const Picture picture{"cam1", 0, 0, std::nullopt, "2026-01-02T03:04:05Z"};
  TrackRegion detection = track();
  detection.state.reset();
  detection.confidence.reset();
  const Json json = tracks_of(picture, {detection});
  EXPECT_FALSE(json.contains("resolution"));
  EXPECT_FALSE(json.contains("timestamp"));
  const Json& object = json["objects"][0];
  EXPECT_FALSE(object.contains("id")) << "it is no track";
  EXPECT_FALSE(object.contains("cltrack"));
  EXPECT_EQ(object["detection"], Json::parse(R"({"label": "car"})"));
}

TEST(TrackJson, TakesWhateverRegionsSay) {
  TrackRegion region = track();
  region.label = "\xff\xfe";
  region.confidence = std::numeric_limits<float>::quiet_NaN();
  region.box = {4e9f, 4e9f, 4e9f, 4e9f};
  const Json json = tracks_of(kPicture, {region});
  EXPECT_EQ(json["objects"][0]["roi_type"], "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_FALSE(json["objects"][0]["detection"].contains("confidence"));
}

TEST(TrackJson, AnEmptyPictureHasNoObjects) {
  EXPECT_EQ(tracks_of(kPicture, {})["objects"], Json::array());
}

TEST(TrackJson, SaysWhatHasChanged) {
  TrackRegion lost = track();
  lost.state = TrackState::lost;
  const TrackChange change{TrackChange::Kind::end, lost, TrackState::tracking, "removed"};
  const Json json = Json::parse(change_json(kPicture, change, kStamp));
  EXPECT_EQ(json["type"], "end");
  EXPECT_EQ(json["source"], "cam1");
  EXPECT_EQ(json["timestamp"], 1200000000);
  EXPECT_EQ(json["object"]["id"], 7);
  EXPECT_EQ(json["object"]["cltrack"]["state"], "lost");
  EXPECT_EQ(json["cltrack"], Json::parse(R"({"previous_state": "tracking", "reason": "removed",
                                             "run": "f00", "sequence": 17})"));
}

TEST(TrackJson, NamesTheKindsOfChanges) {
  const auto type_of = [](TrackChange::Kind kind) {
    return Json::parse(change_json(kPicture, {kind, track(), std::nullopt}, kStamp))["type"];
  };
  EXPECT_EQ(type_of(TrackChange::Kind::begin), "new");
  EXPECT_EQ(type_of(TrackChange::Kind::update), "update");
}

ZoneReport crossing() {
  ZoneReport report;
  report.event = {.kind = ZoneEvent::Kind::cross,
                  .zone = "door",
                  .id = 7,
                  .after = 5,
                  .label = "car",
                  .box = {20, 10, 40, 50},
                  .confidence = 0.9f,
                  .forward = true};
  report.tracker = "tracker";
  report.times.stream_time = 1100000000;
  report.delay = 80000000;
  return report;
}

TEST(ZoneJson, SaysWhoHasCrossedWhen) {
  EXPECT_EQ(Json::parse(zone_json(kPicture, "counter", crossing(), kStamp)), Json::parse(R"({
    "type": "cross", "zone": "door", "direction": "forward",
    "resolution": {"width": 200, "height": 100}, "source": "cam1", "timestamp": 1100000000,
    "system_timestamp": "2026-01-02T03:04:05Z",
    "object": {"x": 20, "y": 10, "w": 40, "h": 50, "region_id": 7, "id": 7, "roi_type": "car",
      "detection": {"bounding_box": {"x_min": 0.1, "x_max": 0.3, "y_min": 0.1, "y_max": 0.6},
                    "confidence": 0.9, "label": "car"}},
    "cltrack": {"element": "counter", "delay": 80000000, "tracker": "tracker", "after": 5,
                "run": "f00", "sequence": 17}})"));
}

TEST(ZoneJson, SaysHowManyAreInAndForHowLong) {
  ZoneReport report = crossing();
  report.event.kind = ZoneEvent::Kind::leave;
  report.event.dwell = 5000000000;
  report.event.inside = 3;
  report.event.reason = "lost";
  report.picture = "20261129T163522.000042Z-door-leave-7.jpg";
  report.times.stream_time = GST_CLOCK_TIME_NONE;
  const Json left = Json::parse(zone_json(kPicture, "counter", report, kStamp));
  EXPECT_EQ(left["dwell"], 5000000000);
  EXPECT_EQ(left["inside"], 3);
  EXPECT_EQ(left["cltrack"]["reason"], "lost");
  EXPECT_EQ(left["picture"], report.picture);
  EXPECT_FALSE(left.contains("timestamp")) << "it is not known";
  EXPECT_FALSE(left.contains("direction"));
  report.event.kind = ZoneEvent::Kind::count;
  const Json count = Json::parse(zone_json(kPicture, "counter", report, kStamp));
  EXPECT_EQ(count["inside"], 3);
  EXPECT_FALSE(count.contains("object"));
}

TEST(TrackJson, AMarkIsOneFieldMore) {
  std::string text = tracks_json(kPicture, std::vector{track()}, kStamp);
  Json expected = Json::parse(text);
  expected["cltrack"]["again"] = true;
  mark_again(text);
  mark_again(text);
  EXPECT_EQ(Json::parse(text), expected);
}

using Json = nlohmann::json;

class TrackReportsTest : public testing::Test {
 protected:
  TrackReportsTest() {
    gst_segment_init(&segment_, GST_FORMAT_TIME);
    reports_.observe_caps(test::caps_from("image/jpeg,width=320,height=240").get());
  }

  test::BufferPtr buffer(std::optional<TrackState> state) {
    test::BufferPtr buffer(gst_buffer_new());
    GST_BUFFER_PTS(buffer.get()) = next_;
    next_ += 40 * GST_MSECOND;
    if (!state) return buffer;
    const Track track{.id = 7,
                      .label = "car",
                      .box = {10, 20, 32, 24},
                      .confidence = 0.5f,
                      .state = *state,
                      .age = 3};
    write_tracks(buffer.get(), {&track, 1}, {"tracker", "tld"}, 320, 240);
    return buffer;
  }

  // "events new" and "tracks 1", with the number of objects.
  static std::vector<std::string> texts(const std::vector<Message>& messages) {
    std::vector<std::string> texts;
    for (const Message& message : messages) {
      const Json json = Json::parse(message.text);
      texts.push_back(message.kind == Message::Kind::event
                          ? "event " + json["type"].get<std::string>()
                          : "tracks " + std::to_string(json["objects"].size()));
    }
    return texts;
  }

  std::vector<std::string> see(std::optional<TrackState> state,
                               PublishMode mode = PublishMode::every_frame) {
    return texts(reports_.observe_buffer(buffer(state).get(), segment_, mode));
  }

  TrackReports reports_{"cam", true};
  GstSegment segment_;
  GstClockTime next_ = GST_SECOND;
};

TEST_F(TrackReportsTest, TellsOfEachPictureAndOfEachChange) {
  EXPECT_THAT(see(TrackState::tracking), ElementsAre("event new", "tracks 1"));
  EXPECT_THAT(see(TrackState::tracking), ElementsAre("tracks 1"));
  EXPECT_THAT(see({}), ElementsAre("event update", "tracks 0"));
  EXPECT_THAT(see({}), ElementsAre("tracks 0"));
}

TEST_F(TrackReportsTest, OnChangeTellsOfPicturesThatDiffer) {
  EXPECT_THAT(see({}, PublishMode::on_change), ElementsAre("tracks 0")) << "the first one";
  EXPECT_THAT(see({}, PublishMode::on_change), IsEmpty());
  EXPECT_THAT(see(TrackState::tracking, PublishMode::on_change),
              ElementsAre("event new", "tracks 1"));
  EXPECT_THAT(see(TrackState::tracking, PublishMode::on_change), IsEmpty());
  EXPECT_THAT(see(TrackState::uncertain, PublishMode::on_change),
              ElementsAre("event update", "tracks 1"));
}

TEST_F(TrackReportsTest, TellsOfEventsAloneOrOfPicturesAlone) {
  EXPECT_THAT(see(TrackState::tracking, PublishMode::none), ElementsAre("event new"));
  TrackReports pictures("cam", false);
  EXPECT_THAT(texts(pictures.observe_buffer(buffer(TrackState::tracking).get(), segment_,
                                            PublishMode::every_frame)),
              ElementsAre("tracks 1"));
}

TEST_F(TrackReportsTest, KnowsTimeSizeAndTrack) {
  const Json json = Json::parse(
      reports_
          .observe_buffer(buffer(TrackState::tracking).get(), segment_, PublishMode::every_frame)
          .back()
          .text);
  EXPECT_EQ(json["timestamp"], GST_SECOND);
  EXPECT_EQ(json["resolution"], Json::parse(R"({"width": 320, "height": 240})"));
  EXPECT_EQ(json["source"], "cam");
  EXPECT_EQ(json["objects"][0]["id"], 7);
  EXPECT_EQ(json["objects"][0]["cltrack"]["age"], 3);
  EXPECT_THAT(json["system_timestamp"].get<std::string>(), testing::EndsWith("Z"));
}

TEST_F(TrackReportsTest, TellsOfZones) {
  ZoneNews news{"counter", 320, 240, "{}"};
  news.reports = {crossing(), crossing()};
  const test::BufferPtr with = buffer(TrackState::tracking);
  write_zones(with.get(), news);
  const auto messages = reports_.observe_buffer(with.get(), segment_, PublishMode::none);
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[1].kind, Message::Kind::zone);
  EXPECT_EQ(messages[1].zone, "door");
  EXPECT_EQ(Json::parse(messages[2].text)["cltrack"]["sequence"], 1);
  EXPECT_EQ(reports_.observe_zones({news}).size(), 2U) << "what is no buffer's";
  TrackReports pictures("cam", false);
  EXPECT_THAT(pictures.observe_zones({news}), IsEmpty());
}

TEST_F(TrackReportsTest, CountsEachKindByItself) {
  std::vector<std::string> counts;
  for (const auto& state : {TrackState::tracking, TrackState::uncertain}) {
    for (const Message& message :
         reports_.observe_buffer(buffer(state).get(), segment_, PublishMode::every_frame)) {
      counts.push_back((message.kind == Message::Kind::event ? "event " : "tracks ") +
                       Json::parse(message.text)["cltrack"]["sequence"].dump());
    }
  }
  EXPECT_THAT(counts, ElementsAre("event 0", "tracks 0", "event 1", "tracks 1"));
}

TEST_F(TrackReportsTest, EachStartIsAnotherRun) {
  const auto run_of = [&](TrackReports& reports) {
    const auto messages =
        reports.observe_buffer(buffer({}).get(), segment_, PublishMode::every_frame);
    return Json::parse(messages.back().text)["cltrack"]["run"];
  };
  TrackReports other("cam", true);
  EXPECT_EQ(run_of(reports_), run_of(reports_));
  EXPECT_NE(run_of(reports_), run_of(other));
}

TEST_F(TrackReportsTest, NothingIsLostInAGap) {
  see(TrackState::tracking);
  const test::BufferPtr gap = buffer({});
  GST_BUFFER_FLAG_SET(gap.get(), GST_BUFFER_FLAG_GAP);
  EXPECT_THAT(reports_.observe_buffer(gap.get(), segment_, PublishMode::every_frame), IsEmpty());
}

TEST_F(TrackReportsTest, RepeatedPicturesAreToldOf) {
  const auto observe_again = [&](const test::BufferPtr& repeated) {
    GST_BUFFER_FLAG_SET(repeated.get(), GST_BUFFER_FLAG_GAP);
    return texts(reports_.observe_buffer(repeated.get(), segment_, PublishMode::every_frame));
  };
  see(TrackState::tracking);
  EXPECT_THAT(observe_again(buffer(TrackState::tracking)), ElementsAre("tracks 1"));
  see({});
  EXPECT_THAT(observe_again(buffer({})), ElementsAre("tracks 0")) << "lost as before";
}

TEST_F(TrackReportsTest, NothingIsLostWhereItsTrackerHasNotLooked) {
  see(TrackState::tracking);
  reports_.observe_skipped("tracker");
  EXPECT_THAT(see({}), IsEmpty());
  reports_.observe_skipped("another");
  EXPECT_THAT(see({}), ElementsAre("event update"));
}

TEST_F(TrackReportsTest, TracksEnd) {
  see(TrackState::tracking);
  EXPECT_THAT(texts(reports_.observe_removed({{"tracker", 7}, {"", 7, "car"}})),
              ElementsAre("event end"));
  see(TrackState::tracking);
  EXPECT_THAT(texts(reports_.observe_end("over")), ElementsAre("event end"));
}

}  // namespace
}  // namespace cltrack::gst
