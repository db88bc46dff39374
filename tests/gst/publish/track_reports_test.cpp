// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/track_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../support/gst_ptr.h"

namespace cltrack::gst {
namespace {

using Json = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TrackReportsTest : public testing::Test {
 protected:
  TrackReportsTest() {
    gst_segment_init(&segment_, GST_FORMAT_TIME);
    reports_.see_caps(test::caps_from("image/jpeg,width=320,height=240").get());
  }

  test::BufferPtr buffer(std::optional<TrackState> state) {
    test::BufferPtr buffer(gst_buffer_new());
    GST_BUFFER_PTS(buffer.get()) = next_;
    next_ += 40 * GST_MSECOND;
    if (!state) return buffer;
    Track track;
    track.id = 7;
    track.label = "car";
    track.box = {10, 20, 32, 24};
    track.confidence = 0.5f;
    track.state = *state;
    track.age = 3;
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
    return texts(reports_.see_buffer(buffer(state).get(), segment_, mode));
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
  EXPECT_THAT(texts(pictures.see_buffer(buffer(TrackState::tracking).get(), segment_,
                                        PublishMode::every_frame)),
              ElementsAre("tracks 1"));
}

TEST_F(TrackReportsTest, KnowsTimeSizeAndTrack) {
  const Json json = Json::parse(
      reports_.see_buffer(buffer(TrackState::tracking).get(), segment_, PublishMode::every_frame)
          .back()
          .text);
  EXPECT_EQ(json["timestamp"], GST_SECOND);
  EXPECT_EQ(json["resolution"], Json::parse(R"({"width": 320, "height": 240})"));
  EXPECT_EQ(json["source"], "cam");
  EXPECT_EQ(json["objects"][0]["id"], 7);
  EXPECT_EQ(json["objects"][0]["cltrack"]["age"], 3);
  EXPECT_THAT(json["system_timestamp"].get<std::string>(), testing::EndsWith("Z"));
}

TEST_F(TrackReportsTest, CountsEachKindByItself) {
  std::vector<std::string> counts;
  for (const auto& state : {TrackState::tracking, TrackState::uncertain}) {
    for (const Message& message :
         reports_.see_buffer(buffer(state).get(), segment_, PublishMode::every_frame)) {
      counts.push_back((message.kind == Message::Kind::event ? "event " : "tracks ") +
                       Json::parse(message.text)["cltrack"]["sequence"].dump());
    }
  }
  EXPECT_THAT(counts, ElementsAre("event 0", "tracks 0", "event 1", "tracks 1"));
}

TEST_F(TrackReportsTest, EachStartIsAnotherRun) {
  const auto run_of = [&](TrackReports& reports) {
    const auto messages = reports.see_buffer(buffer({}).get(), segment_, PublishMode::every_frame);
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
  EXPECT_THAT(reports_.see_buffer(gap.get(), segment_, PublishMode::every_frame), IsEmpty());
}

TEST_F(TrackReportsTest, NothingIsLostWhereItsTrackerHasNotLooked) {
  see(TrackState::tracking);
  reports_.see_skipped("tracker");
  EXPECT_THAT(see({}), IsEmpty());
  reports_.see_skipped("another");
  EXPECT_THAT(see({}), ElementsAre("event update"));
}

TEST_F(TrackReportsTest, TracksEnd) {
  see(TrackState::tracking);
  EXPECT_THAT(texts(reports_.see_removed({{"tracker", 7}, {"", 7, "car"}})),
              ElementsAre("event end"));
  see(TrackState::tracking);
  EXPECT_THAT(texts(reports_.see_end("over")), ElementsAre("event end"));
}

}  // namespace
}  // namespace cltrack::gst
