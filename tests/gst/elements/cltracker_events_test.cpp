// SPDX-License-Identifier: LGPL-2.1-or-later
// Events, flags, and changes of state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/tracker_harness.h"

namespace cltrack {
namespace {

using test::BufferPtr;
using test::TrackerHarness;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const BoundingBox kTarget{100, 80, 48, 40};
const BoundingBox kElsewhere{200, 150, 48, 40};

Image picture(const BoundingBox& target = kTarget) { return test::draw_scene(320, 240, target); }

struct Running : TrackerHarness {
  Running() : TrackerHarness{{"targets", "<<100,80,48,40>>"}} {
    set_caps(320, 240);
    for (int i = 0; i < 5; ++i) EXPECT_THAT(test::regions(pass(picture())), SizeIs(1));
    states();
  }

  // The id of the target once it is found at `box`; 0 if it is not within 5 frames.
  int find(const BoundingBox& box) {
    for (int i = 0; i < 5; ++i) {
      const auto regions = test::regions(pass(picture(box)));
      if (regions.size() == 1 && overlap(regions[0].box, box) > 0.6f) return regions[0].id;
    }
    return 0;
  }
};

void push_segment(TrackerHarness& harness, GstClockTime start) {
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.start = segment.time = segment.position = start;
  harness.push_event(gst_event_new_segment(&segment));
}

TEST(ClTrackerEvents, FlushKeepsWhatWasLearnt) {
  Running harness;
  harness.push_event(gst_event_new_flush_start());
  harness.push_event(gst_event_new_flush_stop(TRUE));
  push_segment(harness, 10 * GST_SECOND);
  BufferPtr buffer = test::make_buffer(picture(kElsewhere), GST_VIDEO_FORMAT_GRAY8);
  GST_BUFFER_PTS(buffer.get()) = 10 * GST_SECOND;
  harness.pass(std::move(buffer));
  EXPECT_EQ(harness.find(kElsewhere), 1);
}

TEST(ClTrackerEvents, SegmentElsewhereKeepsWhatWasLearnt) {
  Running harness;
  push_segment(harness, 10 * GST_SECOND);
  EXPECT_EQ(harness.find(kElsewhere), 1);
}

TEST(ClTrackerEvents, DiscontKeepsWhatWasLearnt) {
  Running harness;
  BufferPtr buffer = test::make_buffer(picture(kElsewhere), GST_VIDEO_FORMAT_GRAY8);
  GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DISCONT);
  harness.pass(std::move(buffer));
  EXPECT_EQ(harness.find(kElsewhere), 1);
}

TEST(ClTrackerEvents, GapAndUnknownEventsAreForwarded) {
  Running harness;
  while (GstEvent* event = gst_harness_try_pull_event(harness.get())) gst_event_unref(event);
  harness.push_event(gst_event_new_gap(GST_SECOND, GST_SECOND));
  harness.push_event(gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM,
                                          gst_structure_new_empty("of-somebody-else")));
  GstEvent* gap = gst_harness_try_pull_event(harness.get());
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(GST_EVENT_TYPE(gap), GST_EVENT_GAP);
  gst_event_unref(gap);
  GstEvent* custom = gst_harness_try_pull_event(harness.get());
  ASSERT_NE(custom, nullptr);
  EXPECT_EQ(GST_EVENT_TYPE(custom), GST_EVENT_CUSTOM_DOWNSTREAM);
  gst_event_unref(custom);
  EXPECT_EQ(harness.find(kTarget), 1);
}

TEST(ClTrackerEvents, GapBufferPassesWithoutARegion) {
  Running harness;
  Image flat(320, 240);
  std::fill_n(flat.row(0), 320 * 240, std::uint8_t{0});
  BufferPtr buffer = test::make_buffer(flat, GST_VIDEO_FORMAT_GRAY8);
  GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_GAP);
  buffer = harness.pass(std::move(buffer));
  ASSERT_NE(buffer, nullptr);
  EXPECT_THAT(test::regions(buffer), IsEmpty());
  EXPECT_THAT(harness.states(), IsEmpty()) << "black filling was taken for the loss of the target";
  EXPECT_EQ(harness.find(kTarget), 1);
}

TEST(ClTrackerEvents, DamagedPictureIsTracked) {
  Running harness;
  BufferPtr buffer = test::make_buffer(picture(), GST_VIDEO_FORMAT_GRAY8);
  GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_CORRUPTED);
  EXPECT_THAT(test::regions(harness.pass(std::move(buffer))), SizeIs(1));
}

TEST(ClTrackerEvents, AnotherStreamStartsAfresh) {
  Running harness;
  harness.set("targets", "<<100,80,48,40>>");
  EXPECT_EQ(test::regions(harness.pass(picture())).at(0).id, 2);
  harness.states();
  harness.push_event(gst_event_new_stream_start("another"));
  harness.set_caps(320, 240);
  push_segment(harness, 0);
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].id, 3) << "an id is that of one target until the element stops";
  EXPECT_GT(overlap(regions[0].box, kTarget), 0.9f);
  const auto states = harness.states();
  ASSERT_THAT(states, SizeIs(1));
  EXPECT_STREQ(gst_structure_get_string(states[0].get(), "previous-state"), "none");
}

TEST(ClTrackerEvents, SameStreamGoesOn) {
  Running harness;
  harness.set("targets", "<<100,80,48,40>>");
  EXPECT_EQ(test::regions(harness.pass(picture())).at(0).id, 2);
  GstEvent* start = gst_pad_get_sticky_event(harness.get()->srcpad, GST_EVENT_STREAM_START, 0);
  ASSERT_NE(start, nullptr);
  const char* id = nullptr;
  gst_event_parse_stream_start(start, &id);
  harness.push_event(gst_event_new_stream_start(id));
  gst_event_unref(start);
  EXPECT_EQ(test::regions(harness.pass(picture())).at(0).id, 2);
}

TEST(ClTrackerEvents, TargetsThatDoNotFitAnotherStreamAreLeftOut) {
  Running harness;
  harness.push_event(gst_event_new_stream_start("smaller"));
  harness.set_caps(64, 64);
  push_segment(harness, 0);
  const BufferPtr buffer = harness.pass(test::draw_scene(64, 64));
  ASSERT_NE(buffer, nullptr) << "what is out already must not be followed by an error";
  EXPECT_THAT(test::regions(buffer), IsEmpty());
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), SizeIs(1));
}

// cvtracker aborts here. The scene is drawn anew in the other size, as a scaler would.
TEST(ClTrackerEvents, OtherSizeMidStreamTakesTheTargetsAlong) {
  for (const float scale : {0.5f, 1.5f, 2.0f}) {
    Running harness;
    const int width = static_cast<int>(320 * scale);
    const int height = static_cast<int>(240 * scale);
    const Image before = picture();
    Image after(width, height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        after.row(y)[x] = before.row(static_cast<int>(
            static_cast<float>(y) / scale))[static_cast<int>(static_cast<float>(x) / scale)];
      }
    }
    harness.set_caps(width, height);
    const BoundingBox expected{kTarget.x * scale, kTarget.y * scale, kTarget.width * scale,
                               kTarget.height * scale};
    bool found = false;
    for (int i = 0; i < 5; ++i) {
      const auto regions = test::regions(harness.pass(after));
      found = found || (regions.size() == 1 && regions[0].id == 1 &&
                        overlap(regions[0].box, expected) > 0.5f);
    }
    EXPECT_TRUE(found) << "scale " << scale;
  }
}

TEST(ClTrackerEvents, OtherFormatMidStreamChangesNothing) {
  Running harness;
  harness.set_caps(320, 240, GST_VIDEO_FORMAT_NV12);
  const auto regions = test::regions(harness.pass(picture(), GST_VIDEO_FORMAT_NV12));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].id, 1);
  EXPECT_GT(overlap(regions[0].box, kTarget), 0.6f);
}

TEST(ClTrackerEvents, TinySizeMidStreamPasses) {
  Running harness;
  harness.set_caps(1, 1);
  EXPECT_NE(harness.pass(test::draw_scene(1, 1)), nullptr);
  harness.set_caps(320, 240);
  EXPECT_NE(harness.pass(picture()), nullptr);
  EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), IsEmpty());
}

// Running time is counted from that end then; GStreamer would answer with a critical warning.
TEST(ClTrackerEvents, ReverseSegmentWithoutAnEndHasNoRunningTime) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
  harness.set_caps(320, 240);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.rate = -1;
  harness.push_event(gst_event_new_segment(&segment));
  EXPECT_THAT(test::regions(harness.pass(picture())), SizeIs(1));
  const auto states = harness.states();
  ASSERT_THAT(states, SizeIs(1));
  guint64 stream_time = 1, running_time = 0;
  EXPECT_TRUE(gst_structure_get(states[0].get(), "stream-time", G_TYPE_UINT64, &stream_time,
                                "running-time", G_TYPE_UINT64, &running_time, nullptr));
  EXPECT_EQ(stream_time, 0u);
  EXPECT_EQ(running_time, GST_CLOCK_TIME_NONE);
}

TEST(ClTrackerEvents, EndOfStreamIsForwarded) {
  Running harness;
  harness.push_event(gst_event_new_eos());
  bool seen = false;
  while (GstEvent* event = gst_harness_try_pull_event(harness.get())) {
    seen = seen || GST_EVENT_TYPE(event) == GST_EVENT_EOS;
    gst_event_unref(event);
  }
  EXPECT_TRUE(seen);
}

void restart_through(GstState state) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
  for (int round = 0; round < 3; ++round) {
    gst_harness_play(harness.get());
    harness.push_event(gst_event_new_stream_start("the same every time"));
    harness.set_caps(320, 240);
    push_segment(harness, 0);
    // The box counts on the first frame of this round, wherever the target was in the last one.
    const auto regions = test::regions(harness.pass(picture()));
    ASSERT_THAT(regions, SizeIs(1)) << "round " << round;
    EXPECT_EQ(regions[0].id, 1);
    EXPECT_GT(overlap(regions[0].box, kTarget), 0.9f);
    EXPECT_THAT(harness.states(), SizeIs(1));
    for (int i = 0; i < 3; ++i) harness.pass(picture(kElsewhere));
    gst_element_set_state(harness.element(), state);
    harness.states();
  }
}

TEST(ClTrackerEvents, RestartThroughReadyForgetsTheStream) { restart_through(GST_STATE_READY); }

TEST(ClTrackerEvents, RestartThroughNullForgetsTheStream) { restart_through(GST_STATE_NULL); }

TEST(ClTrackerEvents, StatesCanBeWalkedUpAndDown) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
  for (const GstState state :
       {GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_PAUSED,
        GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_NULL, GST_STATE_PLAYING, GST_STATE_NULL}) {
    EXPECT_EQ(gst_element_set_state(harness.element(), state), GST_STATE_CHANGE_SUCCESS);
  }
}

TEST(ClTrackerEvents, ParametersOfTheStartActOnTheNextStart) {
  Running harness;
  harness.set("seed", "7");
  harness.set("threads", "1");
  EXPECT_EQ(test::regions(harness.pass(picture())).at(0).id, 1);
}

}  // namespace
}  // namespace cltrack
