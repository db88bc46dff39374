// SPDX-License-Identifier: LGPL-2.1-or-later
// trackzones: what it writes, posts and keeps. What counts is tested in tests/zones/.
#include <gmock/gmock.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "../../support/temporary_folder.h"
#include "../support/tracker_harness.h"
#include "metadata/track_messages.h"
#include "metadata/zone_meta.h"

namespace cltrack::test {
namespace {

using gst::read_zones;
using gst::ZoneNews;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kZones = "door: line 0,0.5 1,0.5; room: area 0.1,0.5 0.9,0.5 0.9,1 0.1,1";

class ZonesHarness : public ElementHarness {
 public:
  // The harness starts what it is given, so that is something that starts.
  ZonesHarness(std::initializer_list<Property> properties)
      : ElementHarness("trackzones name=counter") {
    set_state(GST_STATE_NULL);
    for (const auto& [name, value] : properties) {
      gst_util_set_object_arg(object(), name.c_str(), value.c_str());
    }
    is_started = set_state(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
    if (is_started) {
      gst_harness_set_src_caps_str(get(), "video/x-raw,format=GRAY8,width=200,height=200");
    }
  }

  static Track walker(float y, std::uint64_t id = 1, TrackState state = TrackState::tracking) {
    return {.id = id,
            .label = "person",
            .box = {90, y - 20, 20, 20},
            .confidence = 0.75f,
            .state = state};
  }

  BufferPtr pass(const std::vector<Track>& tracks, GstBufferFlags flags = {},
                 const char* tracker = "tracker") {
    BufferPtr buffer(gst_buffer_new());
    gst::write_tracks(buffer.get(), tracks, {tracker, "tld"}, 200, 200);
    GST_BUFFER_FLAG_SET(buffer.get(), flags);
    return ElementHarness::pass(std::move(buffer));
  }
  // One that walks from above the line into the area.
  BufferPtr walk_in(std::uint64_t id = 1) {
    for (const float y : {60, 80, 120, 120}) pass({walker(y, id)});
    return pass({walker(120, id)});
  }

  // "KIND ZONE" of the messages.
  std::vector<std::string> posted() {
    std::vector<std::string> all;
    for (const MessagePtr& message : messages(GST_MESSAGE_ELEMENT)) {
      const GstStructure* structure = gst_message_get_structure(message.get());
      latest.reset(gst_structure_copy(structure));
      all.push_back(std::string(gst_structure_get_string(structure, "event")) + " " +
                    gst_structure_get_string(structure, "zone"));
    }
    return all;
  }

  guint64 stat(guint zone, const char* name) {
    const StructurePtr stats = structure_property(object(), "stats");
    const GValue* value =
        gst_structure_get_value(stats.get(), ("zone-" + std::to_string(zone)).c_str());
    if (value == nullptr) return 999;
    const GstStructure* structure = gst_value_get_structure(value);
    gint inside = 0;
    if (gst_structure_get_int(structure, name, &inside)) return static_cast<guint64>(inside);
    return uint64_of(structure, name);
  }

  bool is_started = false;
  StructurePtr latest;  // the structure of the latest message
};

TEST(TrackZones, PostsWhatHappens) {
  ZonesHarness harness{{"zones", kZones}};
  ASSERT_TRUE(harness.is_started);
  const BufferPtr buffer = harness.walk_in();
  EXPECT_THAT(harness.posted(), ElementsAre("cross door", "enter room", "count room"));
  for (const float y : {60, 60}) harness.pass({ZonesHarness::walker(y)});
  EXPECT_THAT(harness.posted(), IsEmpty());
  harness.pass({ZonesHarness::walker(60)});
  auto posted = harness.messages(GST_MESSAGE_ELEMENT);
  ASSERT_EQ(posted.size(), 3U);
  const GstStructure* cross = gst_message_get_structure(posted[0].get());
  EXPECT_TRUE(gst_structure_has_name(cross, "trackzones-event"));
  EXPECT_STREQ(gst_structure_get_string(cross, "direction"), "backward");
  EXPECT_STREQ(gst_structure_get_string(cross, "tracker"), "tracker");
  EXPECT_STREQ(gst_structure_get_string(cross, "label"), "person");
  EXPECT_EQ(uint64_of(cross, "id"), 1U);
  // On the sixth picture; two later it was sure.
  EXPECT_EQ(uint64_of(cross, "stream-time"), 5 * ElementHarness::kFrameTime);
  EXPECT_EQ(uint64_of(cross, "delay"), 2 * ElementHarness::kFrameTime);
  const GstStructure* leave = gst_message_get_structure(posted[1].get());
  EXPECT_EQ(uint64_of(leave, "dwell"), 3 * ElementHarness::kFrameTime);
  EXPECT_STREQ(gst_structure_get_string(leave, "reason"), "");

  harness.set("messages", "false");
  harness.walk_in();
  EXPECT_THAT(harness.posted(), IsEmpty());
}

TEST(TrackZones, WritesItOnBuffers) {
  ZonesHarness harness{{"zones", kZones}};
  const BufferPtr buffer = harness.walk_in();
  const std::vector<ZoneNews> news = read_zones(buffer.get());
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].element, "counter");
  EXPECT_EQ(news[0].width, 200);
  EXPECT_EQ(parse_zones(news[0].zones), parse_zones(kZones));
  EXPECT_THAT(news[0].inside, ElementsAre(0, 1));
  EXPECT_EQ(news[0].totals[0].forward, 1U);
  EXPECT_EQ(news[0].totals[1].entered, 1U);
  ASSERT_EQ(news[0].reports.size(), 3U);
  const gst::ZoneReport& cross = news[0].reports[0];
  EXPECT_EQ(cross.event.kind, ZoneEvent::Kind::cross);
  EXPECT_TRUE(cross.event.forward);
  EXPECT_EQ(cross.event.box, ZonesHarness::walker(120).box);
  EXPECT_EQ(cross.event.confidence, 0.75f);
  EXPECT_EQ(cross.tracker, "tracker");
  EXPECT_EQ(cross.times.timestamp, 2 * ElementHarness::kFrameTime);
  EXPECT_THAT(read_zones(harness.pass({}).get())[0].reports, IsEmpty());
}

TEST(TrackZones, ItIsKeptByConvertersAndScalers) {
  ZonesHarness harness{{"zones", kZones}};
  const BufferPtr buffer = harness.walk_in();
  const BufferPtr copy(gst_buffer_copy(buffer.get()));
  EXPECT_EQ(read_zones(copy.get()).at(0).reports.size(), 3U);

  GstVideoInfo in, out;
  gst_video_info_set_format(&in, GST_VIDEO_FORMAT_GRAY8, 200, 200);
  gst_video_info_set_format(&out, GST_VIDEO_FORMAT_GRAY8, 400, 100);
  GstVideoMetaTransform sizes{&in, &out};
  const BufferPtr scaled(gst_buffer_new());
  gpointer position = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta(buffer.get(), &position)) {
    if (meta->info->transform_func == nullptr) continue;
    meta->info->transform_func(scaled.get(), meta, buffer.get(),
                               gst_video_meta_transform_scale_get_quark(), &sizes);
  }
  const std::vector<ZoneNews> news = read_zones(scaled.get());
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].reports.at(0).event.box, (BoundingBox{180, 50, 40, 10}));
  EXPECT_EQ(news[0].totals.at(1).entered, 1U);
}

TEST(TrackZones, SeveralMayCountInOnePipeline) {
  ElementHarness harness(
      "trackzones name=a zones=\"one: line 0,0.5 1,0.5\" ! "
      "trackzones name=b zones=\"two: line 0,0.2 1,0.2\"");
  gst_harness_set_src_caps_str(harness.get(), "video/x-raw,format=GRAY8,width=200,height=200");
  const std::vector<ZoneNews> news = read_zones(harness.pass(BufferPtr(gst_buffer_new())).get());
  ASSERT_EQ(news.size(), 2U);
  EXPECT_EQ(news[0].element, "a");
  EXPECT_EQ(news[1].element, "b");
  EXPECT_EQ(news[1].totals.at(0).name, "two");
}

TEST(TrackZones, TracksOfTwoTrackersAreTwo) {
  ZonesHarness harness{{"zones", kZones}};
  for (int i = 0; i < 3; ++i) {
    BufferPtr buffer(gst_buffer_new());
    gst::write_tracks(buffer.get(), std::vector{ZonesHarness::walker(120)}, {"a", "tld"}, 200, 200);
    gst::write_tracks(buffer.get(), std::vector{ZonesHarness::walker(180)}, {"b", "tld"}, 200, 200);
    static_cast<ElementHarness&>(harness).pass(std::move(buffer));
  }
  EXPECT_EQ(harness.stat(1, "inside"), 2U);
}

TEST(TrackZones, RegionsOfOthersCountIfTheyAreNumbered) {
  ZonesHarness harness{{"zones", kZones}};
  for (int i = 0; i < 3; ++i) {
    BufferPtr buffer(gst_buffer_new());
    gst_buffer_add_video_region_of_interest_meta(buffer.get(), "car", 90, 140, 20, 20)->id = 5;
    gst_buffer_add_video_region_of_interest_meta(buffer.get(), "car", 60, 140, 20, 20);
    static_cast<ElementHarness&>(harness).pass(std::move(buffer));
  }
  EXPECT_EQ(harness.stat(1, "inside"), 1U);
}

TEST(TrackZones, RepeatedPicturesConfirmNothing) {
  ZonesHarness harness{{"zones", kZones}};
  for (const float y : {60, 80, 120}) harness.pass({ZonesHarness::walker(y)});
  for (int i = 0; i < 5; ++i) harness.pass({ZonesHarness::walker(120)}, GST_BUFFER_FLAG_GAP);
  EXPECT_EQ(harness.stat(0, "forward"), 0U);
  for (int i = 0; i < 2; ++i) harness.pass({ZonesHarness::walker(120)});
  EXPECT_EQ(harness.stat(0, "forward"), 1U);
}

TEST(TrackZones, TimeThatStepsBackChangesNoCount) {
  ZonesHarness harness{{"zones", kZones}};
  harness.set_next_time(100 * GST_SECOND);
  for (const float y : {60, 80, 120}) harness.pass({ZonesHarness::walker(y)});
  harness.set_next_time(0);
  for (int i = 0; i < 2; ++i) harness.pass({ZonesHarness::walker(120)});
  EXPECT_EQ(harness.stat(0, "forward"), 1U);
  harness.messages(GST_MESSAGE_ANY);
}

TEST(TrackZones, NobodyWalksAcrossASeek) {
  ZonesHarness harness{{"zones", kZones}};
  for (const float y : {60, 60, 60}) harness.pass({ZonesHarness::walker(y)});
  harness.flush();
  harness.push_segment(10 * GST_SECOND);
  harness.set_next_time(10 * GST_SECOND);
  for (int i = 0; i < 5; ++i) harness.pass({ZonesHarness::walker(120)});
  EXPECT_EQ(harness.stat(0, "forward"), 0U);
  EXPECT_EQ(harness.stat(1, "inside"), 1U);
}

TEST(TrackZones, TracksThatEndLeave) {
  ZonesHarness harness{{"zones", kZones}};
  harness.walk_in();
  harness.posted();
  harness.push_event(gst::make_removed_event("tracker", 1, "person"));
  EXPECT_THAT(harness.posted(), ElementsAre("leave room", "count room"));
  harness.walk_in(2);
  harness.posted();
  while (GstEvent* event = gst_harness_try_pull_event(harness.get())) gst_event_unref(event);
  harness.push_event(gst_event_new_eos());
  EXPECT_THAT(harness.posted(), ElementsAre("leave room", "count room"));
  // Downstream is told, too, before the end.
  std::vector<ZoneNews> told;
  bool has_ended = false;
  while (GstEvent* event = gst_harness_try_pull_event(harness.get())) {
    if (GST_EVENT_TYPE(event) == GST_EVENT_EOS) has_ended = true;
    if (!has_ended) {
      for (ZoneNews& news : gst::parse_zones_event(event)) told.push_back(std::move(news));
    }
    gst_event_unref(event);
  }
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].reports.at(0).event.reason, "the stream has ended");
  EXPECT_EQ(told[0].reports.at(0).event.id, 2U);
  EXPECT_EQ(harness.stat(1, "inside"), 0U);
}

TEST(TrackZones, MayChangeWhileTheyCount) {
  ZonesHarness harness{{"zones", kZones}};
  harness.walk_in();
  g_object_set(harness.object(), "zones", "room: area 0,0 1,0 1,1 0,1; gate: line 0,0.7 1,0.7",
               nullptr);
  harness.pass({ZonesHarness::walker(120)});
  EXPECT_EQ(harness.stat(0, "entered"), 1U);
  EXPECT_EQ(harness.stat(0, "inside"), 1U);
  EXPECT_EQ(harness.stat(1, "forward"), 0U);
  harness.messages(GST_MESSAGE_ANY);
  // Bad ones do not.
  g_object_set(harness.object(), "zones", "room: area 0,0 1,1", nullptr);
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING),
              ElementsAre(HasSubstr("zone 1 (\"room\"): it has 2 corners; allowed: 3 to 1000")));
  harness.pass({ZonesHarness::walker(180)});
  EXPECT_EQ(harness.stat(0, "inside"), 1U);
  gchar* text = nullptr;
  g_object_get(harness.object(), "zones", &text, nullptr);
  EXPECT_THAT(text, HasSubstr("gate"));
  g_free(text);
  // Options do, too.
  harness.set("confirm-frames", "1");
  harness.pass({ZonesHarness::walker(180)});
  EXPECT_EQ(harness.stat(1, "forward"), 1U);
}

TEST(TrackZones, SignalsChangeOneZone) {
  ZonesHarness harness{{"zones", kZones}};
  const auto call = [&](const char* signal, const char* argument) {
    gboolean done = FALSE;
    g_signal_emit_by_name(harness.object(), signal, argument, &done);
    return done != FALSE;
  };
  harness.walk_in();
  EXPECT_TRUE(call("set-zone", "gate: line 0,0.7 1,0.7; room: area 0,0.4 1,0.4 1,1 0,1"));
  EXPECT_TRUE(call("remove-zone", "door"));
  const std::vector<ZoneNews> news = read_zones(harness.pass({ZonesHarness::walker(120)}).get());
  EXPECT_EQ(parse_zones(news.at(0).zones),
            parse_zones("room: area 0,0.4 1,0.4 1,1 0,1; gate: line 0,0.7 1,0.7"));
  EXPECT_EQ(harness.stat(0, "entered"), 1U) << "it goes on";
  harness.messages(GST_MESSAGE_ANY);
  for (const auto& [signal, argument, words] :
       {std::array{"remove-zone", "door",
                   "there is no zone \"door\" to be removed; there are: room,"},
        std::array{"set-zone", "bow: area 0,0 1,1 1,0 0,1", "it crosses itself"},
        std::array{"set-zone", "gate", "\"gate\" has no name"}}) {
    EXPECT_FALSE(call(signal, argument)) << argument;
    EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr(words)));
  }
  EXPECT_EQ(parse_zones(text_property(harness.object(), "zones")), parse_zones(news[0].zones));

  // Before it starts, too; and not beside a file.
  const TemporaryFolder folder;
  const std::string file = folder.write("zones.json", zones_json(parse_zones(kZones)));
  harness.set_state(GST_STATE_NULL);
  EXPECT_TRUE(call("remove-zone", "gate"));
  harness.set("zones-file", file);
  EXPECT_FALSE(call("remove-zone", "room"));
  EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("the zones are those of zones-file")));
}

TEST(TrackZones, BadZonesEndInOneError) {
  const auto error = [](std::initializer_list<Property> properties) {
    ZonesHarness harness(properties);
    EXPECT_FALSE(harness.is_started);
    return harness.texts(GST_MESSAGE_ERROR);
  };
  const TemporaryFolder folder;
  const std::string file = folder.path() / "zones.json";
  EXPECT_THAT(error({{"zones", "room: area 0,0 1,1 1,0 0,1"}}),
              ElementsAre(HasSubstr("zone 1 (\"room\"): it crosses itself")));
  EXPECT_THAT(error({{"zones-file", file}}),
              ElementsAre(HasSubstr("zones-file \"" + file + "\": it cannot be opened: No such")));
  folder.write("zones.json", "{\"zones\": [");
  EXPECT_THAT(error({{"zones-file", file}}), ElementsAre(HasSubstr("it is not JSON")));
  EXPECT_THAT(error({{"zones-file", file}, {"zones", kZones}}),
              ElementsAre(HasSubstr("zones and zones-file are both set")));
  EXPECT_THAT(error({{"state-file", file}}),
              ElementsAre(HasSubstr("state-file \"" + file + "\": it is not JSON")));
  EXPECT_THAT(error({{"zones-file", folder.path().string()}}),
              ElementsAre(HasSubstr("not a regular file")));
}

TEST(TrackZones, AFileMayBeChanged) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "zones.json";
  folder.write("zones.json", zones_json(parse_zones("one: line 0,0.5 1,0.5")));
  ZonesHarness harness{{"zones-file", file}};
  ASSERT_TRUE(harness.is_started);
  harness.walk_in();
  EXPECT_EQ(harness.stat(0, "forward"), 1U);
  // Twice a second it is looked at.
  const auto pass_until = [&](const std::function<bool()>& is_done) {
    for (int i = 0; i < 600 && !is_done(); ++i) {
      harness.pass({ZonesHarness::walker(120)});
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return is_done();
  };
  folder.write("zones.json", "{");
  std::vector<std::string> warnings;
  EXPECT_TRUE(pass_until([&] {
    for (std::string& text : harness.texts(GST_MESSAGE_WARNING)) warnings.push_back(text);
    return !warnings.empty();
  }));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("zones-file \"" + file + "\": it is not JSON")));
  EXPECT_EQ(harness.stat(0, "forward"), 1U) << "those so far stay";
  folder.write("zones.json",
               zones_json(parse_zones("two: line 0,0.2 1,0.2; one: line 0,0.6 1,0.6")));
  EXPECT_TRUE(pass_until([&] { return harness.stat(1, "forward") == 1; }));
  EXPECT_THAT(harness.texts(), IsEmpty());
  g_object_set(harness.object(), "zones", kZones, nullptr);
  EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("the zones are those of zones-file")));
}

std::vector<ZoneTotals> read_totals(const std::filesystem::path& path) {
  std::ifstream text(path);
  return parse_totals(std::string(std::istreambuf_iterator<char>(text), {}));
}

TEST(TrackZones, TotalsSurviveARestart) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "totals.json";
  for (const guint64 count : {1, 2, 3}) {
    ZonesHarness harness{{"zones", kZones}, {"state-file", file}};
    ASSERT_TRUE(harness.is_started);
    harness.walk_in();
    EXPECT_EQ(harness.stat(0, "forward"), count);
    harness.set_state(GST_STATE_NULL);
  }
  EXPECT_EQ(read_totals(file).at(0).forward, 3U);
  EXPECT_EQ(read_totals(file).at(1).left, 3U);
  // A link to it stays one.
  const std::filesystem::path link = folder.path() / "link.json";
  std::filesystem::create_symlink(file, link);
  {
    ZonesHarness linked{{"zones", kZones}, {"state-file", link.string()}};
    linked.walk_in();
    linked.set_state(GST_STATE_NULL);
  }
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_totals(file).at(0).forward, 4U);
  // Where it cannot be written the stream goes on.
  ZonesHarness harness{{"zones", kZones}, {"state-file", "/nonexistent/totals.json"}};
  harness.walk_in();
  harness.push_event(gst_event_new_eos());
  EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("state-file \"/nonexistent/totals.json\"")));
}

// Those of zones that are not there at the start, or for a moment, are kept.
TEST(TrackZones, TotalsWaitForTheirZones) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "totals.json";
  {
    ZonesHarness harness{{"zones", kZones}, {"state-file", file}};
    harness.walk_in();
    harness.set_state(GST_STATE_NULL);
  }
  const std::vector<ZoneTotals> first = read_totals(file);
  ASSERT_EQ(first.at(0).forward, 1U);
  {
    ZonesHarness harness{{"state-file", file}};
    harness.walk_in();
    harness.set_state(GST_STATE_NULL);
  }
  EXPECT_EQ(read_totals(file), first) << "no zone has counted";
  ZonesHarness harness{{"state-file", file}};
  harness.walk_in();
  g_object_set(harness.object(), "zones", kZones, nullptr);
  harness.walk_in();
  EXPECT_EQ(harness.stat(0, "forward"), 2U);
  g_object_set(harness.object(), "zones", "", nullptr);
  harness.walk_in();
  g_object_set(harness.object(), "zones", kZones, nullptr);
  harness.walk_in();
  EXPECT_EQ(harness.stat(0, "forward"), 3U);
}

TEST(TrackZones, NeedsASizeOfPictures) {
  ZonesHarness harness{{"zones", kZones}};
  gst_harness_set_src_caps_str(harness.get(), "application/x-anything");
  EXPECT_EQ(harness.push(BufferPtr(gst_buffer_new())), GST_FLOW_ERROR);
  EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("the size of the pictures is not known")));
}

TEST(TrackZones, DamagedMetadataIsLeftOut) {
  ZonesHarness harness{{"zones", kZones}};
  BufferPtr buffer = harness.walk_in();
  GstStructure* structure =
      gst_custom_meta_get_structure(gst_buffer_get_custom_meta(buffer.get(), "cltrack-zones"));
  gst_structure_set(structure, "zone-1", G_TYPE_STRING, "no structure", "width", G_TYPE_STRING, "x",
                    "event-1", G_TYPE_INT, 3, nullptr);
  gst_structure_remove_field(structure, "zones");
  const std::vector<ZoneNews> news = read_zones(buffer.get());
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].totals.size(), 1U);
  EXPECT_EQ(news[0].inside.size(), 1U);
  EXPECT_EQ(news[0].reports.size(), 1U);
  EXPECT_EQ(news[0].zones, "");
}

}  // namespace
}  // namespace cltrack::test
