// SPDX-License-Identifier: LGPL-2.1-or-later
// What leaves the element: metadata, messages, statistics, untouched pictures.
#include <atomic>
#include <thread>

#include "../../support/no_threads.h"
#include "../support/matchers.h"
#include "../support/tracker_harness.h"
#include "../support/video_picture.h"
#include "metadata/analytics_meta.h"

namespace cltrack::test {
namespace {

Image picture() { return draw_scene(320, 240, kTarget); }
BufferPtr picture_of(GstVideoFormat format) { return make_buffer(picture(), format); }

TEST(ClTracker, FollowsATargetFromTheFirstFrameOn) {
  GreyTracker harness{{"targets", targets_text({{moving_target(0), "ball"}})}};
  for (int i = 0; i < 40; ++i) {
    const BufferPtr buffer = harness.pass(moving_scene(i));
    const auto regions = test::regions(buffer);
    ASSERT_THAT(regions, SizeIs(1)) << "frame " << i;
    EXPECT_EQ(regions[0].id, 1);
    EXPECT_EQ(regions[0].label, "ball");
    EXPECT_GT(regions[0].confidence.value(), 0.0f);
    EXPECT_GT(overlap(regions[0].box, moving_target(i)), 0.6f) << "frame " << i;
  }
}

TEST(ClTracker, FollowsSeveralTargets) {
  const BoundingBox still{220, 170, 60, 50};
  GreyTracker harness{{"targets", targets_text({{moving_target(0), "mover"}, {still, "still"}})}};
  BufferPtr buffer;
  for (int i = 0; i < 10; ++i) buffer = harness.pass(moving_scene(i));
  const auto regions = test::regions(buffer);
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[0].id, 1);
  EXPECT_EQ(regions[0].label, "mover");
  EXPECT_GT(overlap(regions[0].box, moving_target(9)), 0.6f);
  EXPECT_EQ(regions[1].id, 2);
  EXPECT_EQ(regions[1].label, "still");
  EXPECT_GT(overlap(regions[1].box, still), 0.6f);
}

TEST(ClTracker, WithoutATargetBuffersPassAsTheyAre) {
  GreyTracker harness;
  BufferPtr in = make_buffer(moving_scene(0), GST_VIDEO_FORMAT_GRAY8);
  GstBuffer* address = in.get();
  const BufferPtr out = harness.pass(std::move(in));
  EXPECT_EQ(out.get(), address);
  EXPECT_THAT(regions(out), IsEmpty());
  EXPECT_THAT(harness.states(), IsEmpty());
}

TEST(ClTracker, ALostTargetLeavesNoRegionAndComesBackWithItsId) {
  GreyTracker harness{{"targets", targets_text(moving_target(0))}};
  for (int i = 0; i < 20; ++i) harness.pass(moving_scene(i));
  harness.states();

  Image flat(320, 240);
  std::fill_n(flat.row(0), 320 * 240, std::uint8_t{128});
  BufferPtr buffer;
  for (int i = 0; i < 5; ++i) buffer = harness.pass(flat);
  EXPECT_THAT(regions(buffer), IsEmpty());
  auto states = harness.states();
  ASSERT_FALSE(states.empty());
  const GstStructure* lost = states.back().get();
  EXPECT_EQ(state_of(states.back()), "lost");
  EXPECT_STRNE(gst_structure_get_string(lost, "previous-state"), "lost");
  EXPECT_EQ(double_of(lost, "width"), 0);
  EXPECT_EQ(double_of(lost, "confidence"), 0);

  for (int i = 20; i < 30 && regions(buffer).empty(); ++i) {
    buffer = harness.pass(moving_scene(i));
  }
  ASSERT_THAT(regions(buffer), SizeIs(1)) << "not found again within 10 frames";
  EXPECT_EQ(regions(buffer)[0].id, 1);
  states = harness.states();
  ASSERT_THAT(states, SizeIs(1));
  EXPECT_STREQ(gst_structure_get_string(states[0].get(), "previous-state"), "lost");
  EXPECT_EQ(id_of(states[0]), 1u);
}

TEST(ClTracker, MessageOfTheFirstAppearanceIsComplete) {
  GreyTracker harness{{"targets", "<<100,80,48,40,car>>"}};
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.start = 10 * GST_SECOND;
  segment.time = 3 * GST_SECOND;
  segment.base = 5 * GST_SECOND;
  harness.push_event(gst_event_new_segment(&segment));
  BufferPtr buffer = picture_of(GST_VIDEO_FORMAT_GRAY8);
  GST_BUFFER_PTS(buffer.get()) = 11 * GST_SECOND;
  GST_BUFFER_DURATION(buffer.get()) = 40 * GST_MSECOND;
  harness.pass(std::move(buffer));

  const auto states = harness.states();
  ASSERT_THAT(states, SizeIs(1));
  const GstStructure* state = states[0].get();
  EXPECT_EQ(uint64_of(state, "id"), 1u);
  EXPECT_EQ(uint64_of(state, "timestamp"), 11 * GST_SECOND);
  EXPECT_EQ(uint64_of(state, "stream-time"), 4 * GST_SECOND);
  EXPECT_EQ(uint64_of(state, "running-time"), 6 * GST_SECOND);
  EXPECT_EQ(uint64_of(state, "duration"), 40 * GST_MSECOND);
  EXPECT_NEAR(double_of(state, "x"), 100, 2);
  EXPECT_NEAR(double_of(state, "y"), 80, 2);
  EXPECT_NEAR(double_of(state, "width"), 48, 2);
  EXPECT_NEAR(double_of(state, "height"), 40, 2);
  EXPECT_GT(double_of(state, "confidence"), 0);
  EXPECT_EQ(state_of(states[0]), "tracking");
  EXPECT_STREQ(gst_structure_get_string(states[0].get(), "previous-state"), "none");
  EXPECT_STREQ(gst_structure_get_string(states[0].get(), "label"), "car");
}

TEST(ClTracker, MessagesAreOfTheKindThatWasChosen) {
  for (const auto& [kind, count] : {std::pair{"changes", 1}, {"every-frame", 3}, {"none", 0}}) {
    GreyTracker harness{{"targets", kTargets}, {"messages", kind}};
    for (int i = 0; i < 3; ++i) harness.pass(picture());
    EXPECT_THAT(harness.states(), SizeIs(count)) << kind;
    add_target(harness, {10, 10, 48, 40}, "ball");
    harness.pass(picture());
    EXPECT_THAT(actions(harness), ElementsAre("added")) << "answers always come";
  }
}

TEST(ClTracker, FoundAgainIsSaid) {
  GreyTracker harness{{"targets", kTargets}};
  harness.pass(picture());
  for (int i = 0; i < 10; ++i) harness.pass(draw_scene(320, 240));
  for (int i = 0; i < 20; ++i) harness.pass(picture());
  bool lost = false, recovered = false;
  for (const auto& state : harness.states()) {
    gboolean value = TRUE;
    ASSERT_TRUE(gst_structure_get_boolean(state.get(), "recovered", &value));
    EXPECT_FALSE(value && !lost);
    recovered = recovered || value;
    const bool is_lost = state_of(state) == "lost";
    EXPECT_EQ(string_of(state.get(), "reason").empty(), !is_lost);
    lost = lost || is_lost;
  }
  EXPECT_TRUE(lost);
  EXPECT_TRUE(recovered);
}

TEST(ClTracker, BufferWithoutATimeIsTracked) {
  GreyTracker harness{{"targets", kTargets}};
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(gst_harness_push(harness.get(), picture_of(GST_VIDEO_FORMAT_GRAY8).release()),
              GST_FLOW_OK);
    EXPECT_THAT(regions(harness.pull()), SizeIs(1));
  }
  const auto states = harness.states();
  ASSERT_THAT(states, SizeIs(1));
  EXPECT_EQ(uint64_of(states[0].get(), "timestamp"), GST_CLOCK_TIME_NONE);
  EXPECT_EQ(uint64_of(states[0].get(), "stream-time"), GST_CLOCK_TIME_NONE);
}

TEST(ClTracker, SharedBufferStaysUntouched) {
  TrackerHarness harness{{"targets", kTargets}};
  harness.set_caps(320, 240, GST_VIDEO_FORMAT_I420);
  BufferPtr in = picture_of(GST_VIDEO_FORMAT_I420);
  const BufferPtr shared(gst_buffer_ref(in.get()));  // what the other branch of a tee holds
  const std::vector<guint8> before = bytes_of(shared.get());
  const BufferPtr out = harness.pass(std::move(in));

  EXPECT_THAT(regions(out), SizeIs(1));
  EXPECT_NE(out.get(), shared.get());
  EXPECT_THAT(regions(shared), IsEmpty());
  EXPECT_EQ(bytes_of(shared.get()), before);
  EXPECT_EQ(gst_buffer_peek_memory(out.get(), 0), gst_buffer_peek_memory(shared.get(), 0))
      << "the picture was copied";
}

TEST(ClTracker, PictureStaysUntouched) {
  TrackerHarness harness{{"targets", kTargets}};
  harness.set_caps(320, 240, GST_VIDEO_FORMAT_BGR);
  BufferPtr in = picture_of(GST_VIDEO_FORMAT_BGR);
  const std::vector<guint8> before = bytes_of(in.get());
  EXPECT_EQ(bytes_of(harness.pass(std::move(in)).get()), before);
}

TEST(ClTracker, RegionsOfOthersStay) {
  GreyTracker harness{{"targets", kTargets}};
  BufferPtr in = picture_of(GST_VIDEO_FORMAT_GRAY8);
  gst_buffer_add_video_region_of_interest_meta(in.get(), "face", 1, 2, 3, 4);
  const auto regions = test::regions(harness.pass(std::move(in)));
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[0].label, "face");
  EXPECT_EQ(regions[1].label, "object");
}

TEST(ClTracker, DrawsOnlyIfAsked) {
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGRx}) {
    TrackerHarness harness{{"targets", kTargets}, {"draw-rect", "true"}};
    harness.set_caps(320, 240, format);
    BufferPtr in = picture_of(format);
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
    EXPECT_EQ(level(2, 147, 100), 0);                        // and on the right one
    EXPECT_EQ(level(1, 120, 100), picture().row(100)[120]);  // nothing inside
    EXPECT_EQ(level(1, 120, 70), picture().row(70)[120]);    // or outside
    gst_video_frame_unmap(&frame);
  }
}

TEST(ClTracker, StatisticsCountFramesAndTargets) {
  GreyTracker harness{{"targets", "<<100,80,48,40>,<10,10,48,40>>"}};
  for (int i = 0; i < 3; ++i) harness.pass(picture());
  const auto check = [&] {
    const StructurePtr stats = harness.stats();
    EXPECT_EQ(uint64_of(stats.get(), "frames"), 3u);
    const GValue* targets = gst_structure_get_value(stats.get(), "targets");
    ASSERT_EQ(gst_value_array_get_size(targets), 2u);
    const GstStructure* second = gst_value_get_structure(gst_value_array_get_value(targets, 1));
    EXPECT_EQ(uint64_of(second, "id"), 2u);
    EXPECT_GT(uint64_of(second, "windows"), 0u);
    EXPECT_GT(uint64_of(second, "positive-patches"), 0u);
    uint64_of(second, "negative-patches");
  };
  check();
  harness.set_state(GST_STATE_NULL);
  check();  // still readable after the stream
}

TEST(ClTracker, StatisticsCanBeReadFromAHandlerOfItsMessages) {
  TrackerHarness harness{{"targets", kTargets}};
  const BusPtr bus(gst_element_get_bus(harness.element()));
  int calls = 0;
  auto context = std::pair{&harness, &calls};
  gst_bus_set_sync_handler(
      bus.get(),
      [](GstBus*, GstMessage* message, gpointer data) {
        if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ELEMENT) {
          const auto& [tracker, count] = *static_cast<decltype(context)*>(data);
          tracker->stats();  // would hang if the tracker were still locked
          tracker->set("targets", "<<90,80,48,40>>");
          ++*count;
        }
        return GST_BUS_PASS;
      },
      &context, nullptr);
  harness.set_caps(320, 240);
  harness.pass(picture());
  EXPECT_EQ(calls, 2) << "the target is there, and it is tracked";
  gst_bus_set_sync_handler(bus.get(), nullptr, nullptr, nullptr);
}

TEST(ClTracker, SameSeedSameBoxes) {
  const auto run = [](const char* seed, const char* threads) {
    GreyTracker harness{
        {"targets", targets_text(moving_target(0))}, {"seed", seed}, {"threads", threads}};
    std::vector<BoundingBox> found;
    for (int i = 0; i < 15; ++i) {
      for (const BoundingBox& box : boxes(harness.pass(moving_scene(i)))) {
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
  TrackerHarness first{{"targets", "<<100,80,48,40,a>>"}};
  TrackerHarness second{{"targets", "<<90,70,48,40,b>,<10,10,50,50,c>>"}};
  first.set_caps(320, 240);
  second.set_caps(320, 240);
  for (int i = 0; i < 3; ++i) {
    const auto of_first = regions(first.pass(picture()));
    const auto of_second = regions(second.pass(picture()));
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
    const CapsPtr caps = caps_from(caps_text(320, 240, GST_VIDEO_FORMAT_GRAY8));
    const QueryPtr query(gst_query_new_allocation(caps.get(), FALSE));
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

TEST(ClTrackerRoiId, IsTheTracksUnlessSaidOtherwise) {
  for (const char* factory : {"cltracker", "clcolortracker"}) {
    TrackerHarness harness({}, factory);
    gint value = -1;
    g_object_get(harness.object(), "roi-id", &value, nullptr);
    EXPECT_EQ(value, 0) << factory;
    harness.set("roi-id", "detection");
    g_object_get(harness.object(), "roi-id", &value, nullptr);
    EXPECT_EQ(value, 1) << factory;
  }
}

TEST(ClTrackerRoiId, WhatIsMissingIsSaidOnce) {
  GreyTracker harness{{"targets", kTargets}, {"roi-id", "detection"}};
  for (int i = 0; i < 3; ++i) {
    const auto regions = test::regions(harness.pass(picture()));
    ASSERT_THAT(regions, SizeIs(1));
    EXPECT_EQ(regions[0].id, 1);
  }
  const auto warnings = harness.texts(GST_MESSAGE_WARNING);
  if (gst::has_analytics()) {
    EXPECT_THAT(warnings, IsEmpty());
  } else {
    EXPECT_THAT(warnings, ElementsAre(AllOf(HasSubstr("roi-id=detection"),
                                            HasSubstr("gstreamer-analytics-1.0"))));
  }
}

TEST(ClTrackerThreads, PropertiesMayBeSetAndReadWhileBuffersFlow) {
  TrackerHarness harness{{"targets", "<<50,40,40,36>>"}};
  harness.set_caps(160, 120);
  const Image small = draw_scene(160, 120, {50, 40, 40, 36});
  ASSERT_NE(harness.pass(small), nullptr);  // from now on a bad target is no error
  std::atomic<bool> done = false;
  std::thread setter([&] {
    for (int round = 0; !done; ++round) {
      harness.set("targets", round % 2 == 0 ? "<<50,40,40,36>>" : "<<50,40,40,36,a>,<9,9,20,20>>");
      g_object_set(harness.object(), "object-initial-x", 10u, "object-initial-width",
                   round % 3 == 0 ? 0u : 30u, nullptr);
      g_object_set(harness.object(), "learning", round % 2, "label", "car", "draw-rect", round % 2,
                   "seed", guint64{7}, nullptr);
      harness.set("targets", "<<nothing>>");
    }
  });
  std::thread reader([&] {
    while (!done) {
      harness.stats();
      GValue value = G_VALUE_INIT;
      g_value_init(&value, GST_TYPE_ARRAY);
      g_object_get_property(harness.object(), "targets", &value);
      g_value_unset(&value);
    }
  });
  for (int i = 0; i < 30; ++i) EXPECT_NE(harness.pass(small), nullptr);
  done = true;
  setter.join();
  reader.join();

  harness.set("object-initial-width", "30");
  harness.set("targets", "<<50,40,40,36,last>>");
  const auto regions = test::regions(harness.pass(small));
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[1].label, "last");
}

TEST(ClTrackerThreads, FewerThreadsThanAskedForAreOneWarning) {
  TrackerHarness harness{{"targets", "<<50,40,40,36>>"}, {"threads", "4"}, {"device", "host"}};
  harness.set_caps(160, 120);
  const Image small = draw_scene(160, 120, {50, 40, 40, 36});
  const NoThreads none;
  for (int i = 0; i < 3; ++i) EXPECT_THAT(regions(harness.pass(small)), SizeIs(1));
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING),
              testing::ElementsAre(testing::HasSubstr("threads=4: the system allows only 1 (")));
}

TEST(ClTrackerThreads, ElementsWorkSideBySide) {
  const Image small = draw_scene(160, 120, {50, 40, 40, 36});
  std::vector<std::thread> threads;
  std::atomic<int> regions = 0;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      TrackerHarness harness{{"targets", "<<50,40,40,36>>"}};
      harness.set_caps(160, 120);
      for (int frame = 0; frame < 5; ++frame) {
        regions += static_cast<int>(test::regions(harness.pass(small)).size());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(regions, 15);
}

}  // namespace
}  // namespace cltrack::test
