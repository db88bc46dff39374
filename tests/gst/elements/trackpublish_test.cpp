// SPDX-License-Identifier: LGPL-2.1-or-later
// trackpublish with files; trackpublish_broker_test.cpp has brokers.
#include <fstream>
#include <nlohmann/json.hpp>

#include "../../support/temporary_folder.h"
#include "../support/matchers.h"
#include "../support/publish_harness.h"
#include "metadata/track_messages.h"
#include "metadata/zone_meta.h"

namespace cltrack::test {
namespace {

using Json = nlohmann::json;

class TrackPublish : public testing::Test {
 protected:
  std::string location() const { return (folder_.path() / "tracks.jsonl").string(); }
  std::string properties() const { return "source=cam location=" + location() + " "; }

  std::vector<Json> lines() const {
    std::vector<Json> lines;
    std::ifstream in(location());
    for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
    return lines;
  }

  // "new 1", with the reason of an end, and "tracks 1", with the number of objects.
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const Json& line : lines()) {
      if (!line.contains("type")) {
        texts.push_back("tracks " + std::to_string(line["objects"].size()));
        continue;
      }
      std::string text = line["type"].get<std::string>() + " " + line["object"]["id"].dump();
      if (line["cltrack"].contains("reason")) {
        text += ": " + line["cltrack"]["reason"].get<std::string>();
      }
      texts.push_back(text);
    }
    return texts;
  }

  const TemporaryFolder folder_;
};

TEST_F(TrackPublish, WritesALineForEachPictureAndForEachChange) {
  PublishHarness harness(properties());
  ASSERT_TRUE(harness.start());
  harness.pass({car(1)});
  harness.pass({});
  harness.push_event(gst_event_new_eos());
  harness.stop();
  EXPECT_THAT(texts(), ElementsAre("new 1", "tracks 1", "update 1", "tracks 0",
                                   "end 1: the stream has ended"));
  EXPECT_EQ(lines()[1]["resolution"]["width"], 320);
  EXPECT_EQ(lines()[1]["source"], "cam");
  EXPECT_EQ(lines()[2]["object"]["cltrack"]["state"], "lost");
}

TEST_F(TrackPublish, WritesALineForWhatHappensInZones) {
  PublishHarness harness(properties() + "mode=none");
  ASSERT_TRUE(harness.start());
  gst::ZoneNews news{"counter", 320, 240, "{}"};
  news.reports.resize(1);
  news.reports[0].event = {.kind = ZoneEvent::Kind::crowded, .zone = "room", .inside = 4};
  harness.push_event(gst::make_zones_event(news));
  harness.stop();
  ASSERT_EQ(lines().size(), 1U);
  EXPECT_EQ(lines()[0]["type"], "crowded");
  EXPECT_EQ(lines()[0]["zone"], "room");
}

TEST_F(TrackPublish, PassesBuffersOnUntouched) {
  PublishHarness harness(properties());
  ASSERT_TRUE(harness.start());
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 10, nullptr);
  const BufferPtr kept(gst_buffer_ref(buffer));  // so that it must not be written
  ASSERT_EQ(gst_harness_push(harness.get(), buffer), GST_FLOW_OK);
  const BufferPtr result(gst_harness_try_pull(harness.get()));
  EXPECT_EQ(result.get(), kept.get());
}

TEST_F(TrackPublish, TellsOfTracksThatAreRemoved) {
  PublishHarness harness(properties() + "mode=none");
  ASSERT_TRUE(harness.start());
  harness.pass({car(1), car(2)});
  harness.push_event(gst::make_removed_event("tracker", 1, "car"));
  harness.pass({car(2)});
  harness.stop();
  EXPECT_THAT(texts(),
              ElementsAre("new 1", "new 2", "end 1: removed", "end 2: the element has stopped"));
}

TEST_F(TrackPublish, NothingIsLostOnAPictureThatATrackerHasSkipped) {
  PublishHarness harness(properties());
  ASSERT_TRUE(harness.start());
  harness.pass({car(1), car(2)});
  harness.push_event(gst::make_skipped_event("tracker"));
  harness.pass({});
  harness.push_event(gst::make_skipped_event("tracker"));
  harness.pass({car(2)});  // of another tracker
  harness.pass({car(2)});
  harness.stop();
  EXPECT_THAT(texts(),
              ElementsAre("new 1", "new 2", "tracks 2", "tracks 1", "update 1", "tracks 1",
                          "end 1: the element has stopped", "end 2: the element has stopped"));
}

TEST_F(TrackPublish, TracksEndWithTheirStream) {
  PublishHarness harness(properties() + "mode=none");
  ASSERT_TRUE(harness.start());
  harness.pass({car(1)});
  harness.push_event(gst_event_new_stream_start("another"));
  harness.stop();
  EXPECT_THAT(texts(), ElementsAre("new 1", "end 1: another stream has begun"));
}

TEST_F(TrackPublish, TakesStreamsOfAnyType) {
  PublishHarness harness(properties() + "events=false");
  ASSERT_TRUE(harness.start());
  gst_harness_set_src_caps_str(harness.get(), "video/x-h264,width=64,height=48");
  harness.pass({car(1)});
  gst_harness_set_src_caps_str(harness.get(), "application/x-anything");
  harness.pass({car(1)});
  harness.stop();
  EXPECT_EQ(lines()[0]["resolution"]["width"], 64);
  EXPECT_FALSE(lines()[1].contains("resolution"));
}

TEST_F(TrackPublish, TheModeMayChangeWhileItRuns) {
  PublishHarness harness(properties() + "events=false");
  ASSERT_TRUE(harness.start());
  harness.pass({car(1)});
  gst_util_set_object_arg(G_OBJECT(harness.element()), "mode", "on-change");
  harness.pass({car(1)});
  harness.pass({car(1), car(2)});
  harness.stop();
  EXPECT_THAT(texts(), ElementsAre("tracks 1", "tracks 2"));
}

TEST_F(TrackPublish, AppendsWithAnotherRunWhenItStartsAgain) {
  PublishHarness harness(properties() + "events=false");
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(harness.start());
    harness.pass({});
    harness.stop();
  }
  const std::vector<Json> written = lines();
  ASSERT_EQ(written.size(), 2u);
  EXPECT_EQ(written[1]["cltrack"]["sequence"], 0);
  EXPECT_NE(written[0]["cltrack"]["run"], written[1]["cltrack"]["run"]);
}

TEST_F(TrackPublish, CountsInItsStats) {
  PublishHarness harness(properties() + "events=false");
  ASSERT_TRUE(harness.start());
  harness.pass_pictures(3);
  EXPECT_TRUE(harness.wait_for_connection("connected"));
  EXPECT_TRUE(harness.is_connected());
  // All at one time: messages go on from one to the next.
  const StructurePtr stats = harness.stats();
  const auto count = [&](const char* name) { return uint64_of(stats.get(), name); };
  EXPECT_EQ(count("sent") + count("under-way") + count("waiting"), 3u);
  harness.stop();
  EXPECT_FALSE(harness.is_connected());
}

TEST_F(TrackPublish, AFullDiskDoesNotStopThePipeline) {
  PublishHarness harness("location=/dev/full queue-size=5 flush-timeout=0");
  ASSERT_TRUE(harness.start());
  harness.pass_pictures(1);
  ASSERT_TRUE(harness.wait_for_connection("lost"));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(harness.pass({}));
  const StructurePtr dropped = harness.wait_for_dropped();
  ASSERT_TRUE(dropped);
  EXPECT_STREQ(gst_structure_get_string(dropped.get(), "reason"), "the queue is full");
}

TEST_F(TrackPublish, KeepsNoMoreBytesThanItMay) {
  PublishHarness harness("location=/dev/full queue-bytes=2000 flush-timeout=0");
  ASSERT_TRUE(harness.start());
  harness.pass_pictures(20);
  EXPECT_TRUE(harness.wait_for_dropped());
  EXPECT_GT(harness.stat("bytes"), 0u);
}

TEST_F(TrackPublish, SaysWhatIsWrongWhenItStarts) {
  PublishHarness nowhere("");
  EXPECT_FALSE(nowhere.start());
  EXPECT_THAT(nowhere.texts(), ElementsAre(HasSubstr("Nothing says where to publish to")));
  PublishHarness refused("location=/nonexistent/tracks.jsonl");
  EXPECT_FALSE(refused.start());
  EXPECT_THAT(refused.texts(), ElementsAre(HasSubstr("cannot be written: No such file")));
}

TEST_F(TrackPublish, ThePasswordCannotBeRead) {
  PublishHarness harness("");
  const GParamSpec* spec =
      g_object_class_find_property(G_OBJECT_GET_CLASS(harness.element()), "password");
  ASSERT_NE(spec, nullptr);
  EXPECT_EQ(spec->flags & G_PARAM_READABLE, 0u);
}

TEST_F(TrackPublish, PropertiesKeepWhatTheyAreGiven) {
  PublishHarness harness(
      "address=host port=99 mqtt-qos=2 max-in-flight=5 queue-size=7 queue-bytes=6 "
      "flush-timeout=8 fd=3");
  EXPECT_EQ(text_property(harness.element(), "address"), "host");
  guint port = 0, in_flight = 0, size = 0;
  gint qos = 0, fd = 0;
  guint64 bytes = 0, timeout = 0;
  g_object_get(harness.element(), "port", &port, "mqtt-qos", &qos, "max-in-flight", &in_flight,
               "fd", &fd, "queue-size", &size, "queue-bytes", &bytes, "flush-timeout", &timeout,
               nullptr);
  EXPECT_EQ(port, 99u);
  EXPECT_EQ(qos, 2);
  EXPECT_EQ(fd, 3);
  EXPECT_EQ(in_flight, 5u);
  EXPECT_EQ(size, 7u);
  EXPECT_EQ(bytes, 6u);
  EXPECT_EQ(timeout, 8u);
}

}  // namespace
}  // namespace cltrack::test
