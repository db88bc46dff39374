// SPDX-License-Identifier: LGPL-2.1-or-later
// What leaves the element: metadata, messages, statistics, untouched pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <sstream>

#include "../support/tracker_harness.h"

namespace cltrack {
namespace {

using test::BufferPtr;
using test::TrackerHarness;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Labelled {
  BoundingBox box;
  const char* label = nullptr;
};

// As the property "targets" takes it.
std::string text_of(std::initializer_list<Labelled> targets) {
  std::ostringstream text;
  for (const Labelled& target : targets) {
    text << (text.tellp() == 0 ? "<<" : ",<") << target.box.x << "," << target.box.y << ","
         << target.box.width << "," << target.box.height;
    if (target.label != nullptr) text << ",\"" << target.label << "\"";
    text << ">";
  }
  return text.str() + ">";
}

std::vector<guint8> bytes_of(GstBuffer* buffer) {
  GstMapInfo map;
  EXPECT_TRUE(gst_buffer_map(buffer, &map, GST_MAP_READ));
  std::vector<guint8> bytes(map.data, map.data + map.size);
  gst_buffer_unmap(buffer, &map);
  return bytes;
}

TEST(ClTracker, FollowsATargetFromTheFirstFrameOn) {
  TrackerHarness harness{{"targets", text_of({{test::moving_target(0), "ball"}})}};
  harness.set_caps(320, 240);
  for (int i = 0; i < 40; ++i) {
    const BufferPtr buffer = harness.pass(test::moving_scene(i));
    const auto regions = test::regions(buffer);
    ASSERT_THAT(regions, SizeIs(1)) << "frame " << i;
    EXPECT_EQ(regions[0].id, 1);
    EXPECT_EQ(regions[0].label, "ball");
    EXPECT_GT(regions[0].confidence.value(), 0.0f);
    EXPECT_GT(overlap(regions[0].box, test::moving_target(i)), 0.6f) << "frame " << i;
  }
}

TEST(ClTracker, FollowsSeveralTargets) {
  const BoundingBox still{220, 170, 60, 50};
  TrackerHarness harness{
      {"targets", text_of({{test::moving_target(0), "mover"}, {still, "still"}})}};
  harness.set_caps(320, 240);
  BufferPtr buffer;
  for (int i = 0; i < 10; ++i) buffer = harness.pass(test::moving_scene(i));
  const auto regions = test::regions(buffer);
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[0].id, 1);
  EXPECT_EQ(regions[0].label, "mover");
  EXPECT_GT(overlap(regions[0].box, test::moving_target(9)), 0.6f);
  EXPECT_EQ(regions[1].id, 2);
  EXPECT_EQ(regions[1].label, "still");
  EXPECT_GT(overlap(regions[1].box, still), 0.6f);
}

TEST(ClTracker, WithoutATargetBuffersPassAsTheyAre) {
  TrackerHarness harness;
  harness.set_caps(320, 240);
  BufferPtr in = test::make_buffer(test::moving_scene(0), GST_VIDEO_FORMAT_GRAY8);
  GstBuffer* address = in.get();
  const BufferPtr out = harness.pass(std::move(in));
  EXPECT_EQ(out.get(), address);
  EXPECT_THAT(test::regions(out), IsEmpty());
  EXPECT_THAT(harness.states(), IsEmpty());
}

TEST(ClTracker, ALostTargetLeavesNoRegionAndComesBackWithItsId) {
  TrackerHarness harness{{"targets", text_of({{test::moving_target(0)}})}};
  harness.set_caps(320, 240);
  for (int i = 0; i < 20; ++i) harness.pass(test::moving_scene(i));
  harness.states();

  Image flat(320, 240);
  std::fill_n(flat.row(0), 320 * 240, std::uint8_t{128});
  BufferPtr buffer;
  for (int i = 0; i < 5; ++i) buffer = harness.pass(flat);
  EXPECT_THAT(test::regions(buffer), IsEmpty());
  auto states = harness.states();
  ASSERT_FALSE(states.empty());
  const GstStructure* lost = states.back().get();
  EXPECT_EQ(test::state_of(states.back()), "lost");
  EXPECT_STRNE(gst_structure_get_string(lost, "previous-state"), "lost");
  double width = -1, confidence = -1;
  gst_structure_get(lost, "width", G_TYPE_DOUBLE, &width, "confidence", G_TYPE_DOUBLE, &confidence,
                    nullptr);
  EXPECT_EQ(width, 0);
  EXPECT_EQ(confidence, 0);

  for (int i = 20; i < 30 && test::regions(buffer).empty(); ++i) {
    buffer = harness.pass(test::moving_scene(i));
  }
  ASSERT_THAT(test::regions(buffer), SizeIs(1)) << "not found again within 10 frames";
  EXPECT_EQ(test::regions(buffer)[0].id, 1);
  states = harness.states();
  ASSERT_THAT(states, SizeIs(1));
  EXPECT_STREQ(gst_structure_get_string(states[0].get(), "previous-state"), "lost");
  EXPECT_EQ(test::id_of(states[0]), 1u);
}

TEST(ClTracker, MessageOfTheFirstAppearanceIsComplete) {
  TrackerHarness harness{{"targets", "<<100,80,48,40,car>>"}};
  harness.set_caps(320, 240);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.start = 10 * GST_SECOND;
  segment.time = 3 * GST_SECOND;
  segment.base = 5 * GST_SECOND;
  harness.push_event(gst_event_new_segment(&segment));
  BufferPtr buffer =
      test::make_buffer(test::draw_scene(320, 240, {100, 80, 48, 40}), GST_VIDEO_FORMAT_GRAY8);
  GST_BUFFER_PTS(buffer.get()) = 11 * GST_SECOND;
  GST_BUFFER_DURATION(buffer.get()) = 40 * GST_MSECOND;
  harness.pass(std::move(buffer));

  const auto states = harness.states();
  ASSERT_THAT(states, SizeIs(1));
  guint64 id = 0, timestamp = 0, stream_time = 0, running_time = 0, duration = 0;
  double x = 0, y = 0, width = 0, height = 0, confidence = -1;
  ASSERT_TRUE(gst_structure_get(
      states[0].get(), "id", G_TYPE_UINT64, &id, "timestamp", G_TYPE_UINT64, &timestamp,
      "stream-time", G_TYPE_UINT64, &stream_time, "running-time", G_TYPE_UINT64, &running_time,
      "duration", G_TYPE_UINT64, &duration, "x", G_TYPE_DOUBLE, &x, "y", G_TYPE_DOUBLE, &y, "width",
      G_TYPE_DOUBLE, &width, "height", G_TYPE_DOUBLE, &height, "confidence", G_TYPE_DOUBLE,
      &confidence, nullptr));
  EXPECT_EQ(id, 1u);
  EXPECT_EQ(timestamp, 11 * GST_SECOND);
  EXPECT_EQ(stream_time, 4 * GST_SECOND);
  EXPECT_EQ(running_time, 6 * GST_SECOND);
  EXPECT_EQ(duration, 40 * GST_MSECOND);
  EXPECT_NEAR(x, 100, 2);
  EXPECT_NEAR(y, 80, 2);
  EXPECT_NEAR(width, 48, 2);
  EXPECT_NEAR(height, 40, 2);
  EXPECT_GT(confidence, 0);
  EXPECT_EQ(test::state_of(states[0]), "tracking");
  EXPECT_STREQ(gst_structure_get_string(states[0].get(), "previous-state"), "none");
  EXPECT_STREQ(gst_structure_get_string(states[0].get(), "label"), "car");
}

TEST(ClTracker, NoMessageWhileTheStateStays) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
  harness.set_caps(320, 240);
  const Image picture = test::draw_scene(320, 240, {100, 80, 48, 40});
  for (int i = 0; i < 5; ++i) harness.pass(picture);
  EXPECT_THAT(harness.states(), SizeIs(1));
}

TEST(ClTracker, BufferWithoutATimeIsTracked) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
  harness.set_caps(320, 240);
  const Image picture = test::draw_scene(320, 240, {100, 80, 48, 40});
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(gst_harness_push(harness.get(),
                               test::make_buffer(picture, GST_VIDEO_FORMAT_GRAY8).release()),
              GST_FLOW_OK);
    EXPECT_THAT(test::regions(harness.pull()), SizeIs(1));
  }
  const auto states = harness.states();
  ASSERT_THAT(states, SizeIs(1));
  guint64 timestamp = 0, stream_time = 0;
  gst_structure_get(states[0].get(), "timestamp", G_TYPE_UINT64, &timestamp, "stream-time",
                    G_TYPE_UINT64, &stream_time, nullptr);
  EXPECT_EQ(timestamp, GST_CLOCK_TIME_NONE);
  EXPECT_EQ(stream_time, GST_CLOCK_TIME_NONE);
}

TEST(ClTracker, SharedBufferStaysUntouched) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
  harness.set_caps(320, 240, GST_VIDEO_FORMAT_I420);
  BufferPtr in =
      test::make_buffer(test::draw_scene(320, 240, {100, 80, 48, 40}), GST_VIDEO_FORMAT_I420);
  const BufferPtr shared(gst_buffer_ref(in.get()));  // what the other branch of a tee holds
  const std::vector<guint8> before = bytes_of(shared.get());
  const BufferPtr out = harness.pass(std::move(in));

  EXPECT_THAT(test::regions(out), SizeIs(1));
  EXPECT_NE(out.get(), shared.get());
  EXPECT_THAT(test::regions(shared), IsEmpty());
  EXPECT_EQ(bytes_of(shared.get()), before);
  EXPECT_EQ(gst_buffer_peek_memory(out.get(), 0), gst_buffer_peek_memory(shared.get(), 0))
      << "the picture was copied";
}

TEST(ClTracker, PictureStaysUntouched) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
  harness.set_caps(320, 240, GST_VIDEO_FORMAT_BGR);
  BufferPtr in =
      test::make_buffer(test::draw_scene(320, 240, {100, 80, 48, 40}), GST_VIDEO_FORMAT_BGR);
  const std::vector<guint8> before = bytes_of(in.get());
  EXPECT_EQ(bytes_of(harness.pass(std::move(in)).get()), before);
}

TEST(ClTracker, RegionsOfOthersStay) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
  harness.set_caps(320, 240);
  BufferPtr in =
      test::make_buffer(test::draw_scene(320, 240, {100, 80, 48, 40}), GST_VIDEO_FORMAT_GRAY8);
  gst_buffer_add_video_region_of_interest_meta(in.get(), "face", 1, 2, 3, 4);
  const auto regions = test::regions(harness.pass(std::move(in)));
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[0].label, "face");
  EXPECT_EQ(regions[1].label, "object");
}

TEST(ClTracker, DrawsOnlyIfAsked) {
  const Image picture = test::draw_scene(320, 240, {100, 80, 48, 40});
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGRx}) {
    TrackerHarness harness{{"targets", "<<100,80,48,40>>"}, {"draw-rect", "true"}};
    harness.set_caps(320, 240, format);
    BufferPtr in = test::make_buffer(picture, format);
    const BufferPtr shared(gst_buffer_ref(in.get()));
    const std::vector<guint8> before = bytes_of(shared.get());
    const BufferPtr out = harness.pass(std::move(in));
    EXPECT_EQ(bytes_of(shared.get()), before) << "drawn into a shared picture";

    GstVideoInfo info;
    gst_video_info_set_format(&info, format, 320, 240);
    GstVideoFrame frame;
    ASSERT_TRUE(gst_video_frame_map(&frame, &info, out.get(), GST_MAP_READ));
    const auto level = [&](unsigned c, int x, int y) {
      return static_cast<int>(static_cast<guint8*>(
          GST_VIDEO_FRAME_COMP_DATA(&frame, c))[y * GST_VIDEO_FRAME_COMP_STRIDE(&frame, c) +
                                                x * GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c)]);
    };
    EXPECT_EQ(level(0, 120, 80), 255);  // red on the upper edge
    EXPECT_EQ(level(1, 120, 80), 0);
    EXPECT_EQ(level(2, 147, 100), 0);                      // and on the right one
    EXPECT_EQ(level(1, 120, 100), picture.row(100)[120]);  // nothing inside
    EXPECT_EQ(level(1, 120, 70), picture.row(70)[120]);    // or outside
    gst_video_frame_unmap(&frame);
  }
}

TEST(ClTracker, StatisticsCountFramesAndTargets) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>,<10,10,48,40>>"}};
  harness.set_caps(320, 240);
  for (int i = 0; i < 3; ++i) harness.pass(test::draw_scene(320, 240, {100, 80, 48, 40}));
  const auto check = [&] {
    const test::StructurePtr stats = harness.stats();
    guint64 frames = 0;
    ASSERT_TRUE(gst_structure_get_uint64(stats.get(), "frames", &frames));
    EXPECT_EQ(frames, 3u);
    const GValue* targets = gst_structure_get_value(stats.get(), "targets");
    ASSERT_EQ(gst_value_array_get_size(targets), 2u);
    const GstStructure* second = gst_value_get_structure(gst_value_array_get_value(targets, 1));
    guint64 id = 0, windows = 0, positive = 0, negative = 0;
    ASSERT_TRUE(gst_structure_get(second, "id", G_TYPE_UINT64, &id, "windows", G_TYPE_UINT64,
                                  &windows, "positive-patches", G_TYPE_UINT64, &positive,
                                  "negative-patches", G_TYPE_UINT64, &negative, nullptr));
    EXPECT_EQ(id, 2u);
    EXPECT_GT(windows, 0u);
    EXPECT_GT(positive, 0u);
    const GValue* stages = gst_structure_get_value(stats.get(), "stages");
    ASSERT_GT(gst_value_array_get_size(stages), 0u);
    const GstStructure* stage = gst_value_get_structure(gst_value_array_get_value(stages, 0));
    guint64 calls = 0;
    double total = -1, median = -1, p99 = -1;
    EXPECT_TRUE(gst_structure_get(stage, "calls", G_TYPE_UINT64, &calls, "total-ms", G_TYPE_DOUBLE,
                                  &total, "median-ms", G_TYPE_DOUBLE, &median, "p99-ms",
                                  G_TYPE_DOUBLE, &p99, nullptr));
    EXPECT_STREQ(gst_structure_get_string(stage, "name"), "planes");
    EXPECT_STREQ(gst_structure_get_string(stage, "device"), "host");
    for (const char* name : {"bytes-up", "bytes-down", "waits"}) {
      guint64 count = 1;
      EXPECT_TRUE(gst_structure_get_uint64(stage, name, &count)) << name;
      EXPECT_EQ(count, 0u) << name;
    }
    EXPECT_GT(calls, 0u);
    EXPECT_GE(p99, median);
  };
  check();
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  check();  // still readable after the stream
}

TEST(ClTracker, StatisticsCanBeReadFromAHandlerOfItsMessages) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
  const test::BusPtr bus(gst_element_get_bus(harness.element()));
  int calls = 0;
  struct Context {
    TrackerHarness* harness;
    int* calls;
  } context{&harness, &calls};
  gst_bus_set_sync_handler(
      bus.get(),
      [](GstBus*, GstMessage* message, gpointer data) {
        if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ELEMENT) {
          auto* c = static_cast<Context*>(data);
          c->harness->stats();  // would hang if the tracker were still locked
          c->harness->set("targets", "<<90,80,48,40>>");
          ++*c->calls;
        }
        return GST_BUS_PASS;
      },
      &context, nullptr);
  harness.set_caps(320, 240);
  harness.pass(test::draw_scene(320, 240, {100, 80, 48, 40}));
  EXPECT_EQ(calls, 2) << "the target is there, and it is tracked";
  gst_bus_set_sync_handler(bus.get(), nullptr, nullptr, nullptr);
}

TEST(ClTracker, SameSeedSameBoxes) {
  const auto run = [](const char* seed, const char* threads) {
    TrackerHarness harness{
        {"targets", text_of({{test::moving_target(0)}})}, {"seed", seed}, {"threads", threads}};
    harness.set_caps(320, 240);
    std::vector<BoundingBox> found;
    for (int i = 0; i < 15; ++i) {
      for (const BoundingBox& box : test::boxes(harness.pass(test::moving_scene(i)))) {
        found.push_back(box);
      }
    }
    return found;
  };
  const auto first = run("5", "1");
  EXPECT_THAT(first, SizeIs(15));
  EXPECT_EQ(run("5", "1"), first);
  EXPECT_EQ(run("5", "3"), first);
}

TEST(ClTracker, SeveralElementsShareNothing) {
  const Image picture = test::draw_scene(320, 240, {100, 80, 48, 40});
  TrackerHarness first{{"targets", "<<100,80,48,40,a>>"}};
  TrackerHarness second{{"targets", "<<90,70,48,40,b>,<10,10,50,50,c>>"}};
  first.set_caps(320, 240);
  second.set_caps(320, 240);
  for (int i = 0; i < 3; ++i) {
    const auto of_first = test::regions(first.pass(picture));
    const auto of_second = test::regions(second.pass(picture));
    ASSERT_THAT(of_first, SizeIs(1));
    EXPECT_EQ(of_first[0].label, "a");
    EXPECT_EQ(of_first[0].id, 1);
    ASSERT_FALSE(of_second.empty());
    EXPECT_EQ(of_second[0].label, "b");
    EXPECT_EQ(of_second[0].id, 1);
  }
}

TEST(ClTracker, AnswersAllocationQueriesAsDownstreamDoes) {
  for (const bool downstream_knows : {true, false}) {
    TrackerHarness harness;
    if (downstream_knows) {
      gst_harness_add_propose_allocation_meta(harness.get(), GST_VIDEO_META_API_TYPE, nullptr);
    }
    harness.set_caps(320, 240);
    const test::CapsPtr caps = test::caps_from(test::caps_text(320, 240, GST_VIDEO_FORMAT_GRAY8));
    const test::QueryPtr query(gst_query_new_allocation(caps.get(), FALSE));
    ASSERT_TRUE(gst_pad_peer_query(harness.get()->srcpad, query.get()));
    EXPECT_EQ(
        gst_query_find_allocation_meta(query.get(), GST_VIDEO_META_API_TYPE, nullptr) != FALSE,
        downstream_knows);
  }
}

TEST(ClTracker, IsAnAnalyzerOfVideo) {
  GstElementFactory* factory = gst_element_factory_find("cltracker");
  ASSERT_NE(factory, nullptr);
  EXPECT_STREQ(gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS),
               "Filter/Analyzer/Video");
  EXPECT_EQ(gst_plugin_feature_get_rank(GST_PLUGIN_FEATURE(factory)),
            static_cast<guint>(GST_RANK_NONE));
  gst_object_unref(factory);
}

TEST(ClTracker, EveryPropertyIsDescribed) {
  TrackerHarness harness;
  guint count = 0;
  GParamSpec** specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(harness.object()), &count);
  for (guint i = 0; i < count; ++i) {
    const std::string owner = g_type_name(specs[i]->owner_type);
    if (owner.rfind("GstClTracker", 0) != 0) continue;
    EXPECT_NE(g_param_spec_get_blurb(specs[i]), nullptr) << specs[i]->name;
    EXPECT_NE(g_param_spec_get_nick(specs[i]), nullptr) << specs[i]->name;
    constexpr int kMutable = GST_PARAM_MUTABLE_READY | GST_PARAM_MUTABLE_PLAYING;
    if ((specs[i]->flags & G_PARAM_WRITABLE) != 0) {
      EXPECT_NE(specs[i]->flags & kMutable, 0) << specs[i]->name << " does not say when";
    }
  }
  EXPECT_GT(count, 20u);
  g_free(specs);
}

}  // namespace
}  // namespace cltrack
