// SPDX-License-Identifier: LGPL-2.1-or-later
// Events, flags, queries, changes of state, of size and of stream.
#include <gst/video/gstvideometa.h>

#include <functional>
#include <thread>
#include <utility>

#include "../support/matchers.h"
#include "../support/tracking_elements.h"

namespace cltrack::test {
namespace {

class TrackerEvents : public TrackingElementTest {
 protected:
  TrackerEvents() { start_tracking(); }

  const BoundingBox& elsewhere() const { return GetParam().elsewhere; }
  BufferPtr pass_with_flag(BufferPtr buffer, GstBufferFlags flag) {
    GST_BUFFER_FLAG_SET(buffer.get(), flag);
    return harness_.pass(std::move(buffer));
  }
};

INSTANTIATE_TEST_SUITE_P(Elements, TrackerEvents, testing::ValuesIn(tracking_elements()),
                         element_name);

TEST_P(TrackerEvents, FlushKeepsWhatWasLearnt) {
  harness_.flush();
  harness_.push_segment(10 * GST_SECOND);
  harness_.set_next_time(10 * GST_SECOND);
  EXPECT_EQ(find(elsewhere()), 1);
}

TEST_P(TrackerEvents, SegmentElsewhereKeepsWhatWasLearnt) {
  harness_.push_segment(10 * GST_SECOND);
  EXPECT_EQ(find(elsewhere()), 1);
}

TEST_P(TrackerEvents, GapUnknownEventsAndTheEndAreForwarded) {
  while (GstEvent* event = gst_harness_try_pull_event(harness_.get())) gst_event_unref(event);
  harness_.push_event(gst_event_new_gap(GST_SECOND, GST_SECOND));
  harness_.push_event(gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM,
                                           gst_structure_new_empty("of-somebody-else")));
  EXPECT_EQ(find(), 1);
  harness_.push_event(gst_event_new_eos());
  for (const GstEventType type : {GST_EVENT_GAP, GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_EOS}) {
    const EventPtr event(gst_harness_try_pull_event(harness_.get()));
    ASSERT_NE(event, nullptr);
    EXPECT_EQ(GST_EVENT_TYPE(event.get()), type);
  }
}

TEST_P(TrackerEvents, GapBufferPassesWithoutARegion) {
  const BufferPtr passed = pass_with_flag(picture({}), GST_BUFFER_FLAG_GAP);
  ASSERT_NE(passed, nullptr);
  EXPECT_THAT(regions(passed), IsEmpty());
  EXPECT_THAT(harness_.states(), IsEmpty()) << "filling was taken for the loss of the target";
  EXPECT_EQ(find(), 1);
}

TEST_P(TrackerEvents, DamagedPictureIsTracked) {
  EXPECT_THAT(regions(pass_with_flag(picture(), GST_BUFFER_FLAG_CORRUPTED)), SizeIs(1));
}

TEST_P(TrackerEvents, AnotherStreamStartsAfresh) {
  set_target();
  EXPECT_EQ(track().at(0).id, 2);
  harness_.states();
  begin_stream("another");
  const auto found = track();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, 3) << "an id is that of one target until the element stops";
  EXPECT_GT(overlap(found[0].box, GetParam().object), 0.9f);
  const auto states = harness_.states();
  ASSERT_THAT(states, SizeIs(1));
  EXPECT_EQ(string_of(states[0].get(), "previous-state"), "none");
}

TEST_P(TrackerEvents, SameStreamGoesOn) {
  const EventPtr start(gst_pad_get_sticky_event(harness_.get()->srcpad, GST_EVENT_STREAM_START, 0));
  ASSERT_NE(start, nullptr);
  const char* id = nullptr;
  gst_event_parse_stream_start(start.get(), &id);
  harness_.push_event(gst_event_new_stream_start(id));
  EXPECT_EQ(track().at(0).id, 1);
}

TEST_P(TrackerEvents, OtherFormatMidStreamChangesNothing) {
  harness_.set_caps(GetParam().width, GetParam().height, GetParam().other_format);
  const auto found =
      regions(harness_.pass(GetParam().picture(GetParam().object, GetParam().other_format)));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, 1);
  EXPECT_GT(overlap(found[0].box, GetParam().object), 0.6f);
  EXPECT_THAT(harness_.states(), IsEmpty()) << "neither lost nor new";
}

TEST_P(TrackerEvents, RestartForgetsTheStream) {
  for (const GstState state : {GST_STATE_READY, GST_STATE_NULL, GST_STATE_READY}) {
    harness_.set_state(state);
    harness_.set_state(GST_STATE_PLAYING);
    harness_.messages(GST_MESSAGE_ANY);
    begin_stream("the same every time");
    // What the property says counts on the first frame, wherever the target was before.
    const auto found = track();
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].id, 1);
    EXPECT_GT(overlap(found[0].box, GetParam().object), 0.9f);
    EXPECT_THAT(harness_.states(), SizeIs(1));
    for (int i = 0; i < 3; ++i) track(elsewhere());
  }
}

TEST_P(TrackerEvents, StatesCanBeWalkedUpAndDown) {
  for (const GstState state :
       {GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_PAUSED,
        GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_NULL, GST_STATE_PLAYING, GST_STATE_NULL}) {
    EXPECT_EQ(harness_.set_state(state), GST_STATE_CHANGE_SUCCESS);
  }
}

TEST_P(TrackerEvents, TinySizeMidStreamPasses) {
  harness_.set_caps(1, 1, GetParam().format);
  EXPECT_NE(harness_.pass(draw_scene(1, 1), GetParam().format), nullptr);
  set_caps();
  EXPECT_NE(harness_.pass(picture()), nullptr);
  EXPECT_THAT(harness_.texts(GST_MESSAGE_ERROR), IsEmpty());
}

TEST_P(TrackerEvents, MaxLatencyIsAddedToThePipelines) {
  harness_.set("max-latency", "100000000");
  gst_harness_set_upstream_latency(harness_.get(), 20 * GST_MSECOND);
  EXPECT_EQ(gst_harness_query_latency(harness_.get()), 120 * GST_MSECOND);
  harness_.messages(GST_MESSAGE_LATENCY);
  harness_.set("max-latency", "0");
  EXPECT_THAT(harness_.messages(GST_MESSAGE_LATENCY), SizeIs(1));
  EXPECT_EQ(gst_harness_query_latency(harness_.get()), 20 * GST_MSECOND);
}

// Running time is counted from that end then; GStreamer would answer with a critical warning.
TEST_P(TrackerEvents, ReverseSegmentWithoutAnEndHasNoRunningTime) {
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.rate = -1;
  harness_.push_event(gst_event_new_segment(&segment));
  set_target();
  EXPECT_THAT(track(), SizeIs(1));
  const auto states = harness_.states();
  ASSERT_THAT(states, SizeIs(1));
  EXPECT_EQ(uint64_of(states[0].get(), "stream-time"), 5 * GST_SECOND / 25);
  EXPECT_EQ(uint64_of(states[0].get(), "running-time"), GST_CLOCK_TIME_NONE);
}

class ClTrackerEvents : public GreyTracker, public testing::Test {
 protected:
  ClTrackerEvents() : GreyTracker{{"targets", kTargets}} {
    for (int i = 0; i < 5; ++i) EXPECT_THAT(regions(pass(picture_)), SizeIs(1));
  }
  const Image picture_ = draw_scene(320, 240, kTarget);
};

TEST_F(ClTrackerEvents, TargetsThatDoNotFitAnotherStreamAreLeftOut) {
  push_event(gst_event_new_stream_start("smaller"));
  set_caps(64, 64);
  push_segment();
  const BufferPtr buffer = pass(draw_scene(64, 64));
  ASSERT_NE(buffer, nullptr) << "what is out already must not be followed by an error";
  EXPECT_THAT(regions(buffer), IsEmpty());
  EXPECT_THAT(texts(GST_MESSAGE_WARNING), SizeIs(1));
}

// cvtracker aborts here. The scene is drawn anew in the other size, as a scaler would.
TEST_F(ClTrackerEvents, OtherSizeMidStreamTakesTheTargetsAlong) {
  for (const float scale : {0.5f, 1.5f, 2.0f}) {
    const int width = static_cast<int>(320 * scale);
    const int height = static_cast<int>(240 * scale);
    const auto source = [&](int i) { return static_cast<int>(static_cast<float>(i) / scale); };
    Image after(width, height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) after.row(y)[x] = picture_.row(source(y))[source(x)];
    }
    set_caps(width, height);
    const BoundingBox expected{kTarget.x * scale, kTarget.y * scale, kTarget.width * scale,
                               kTarget.height * scale};
    bool found = false;
    for (int i = 0; i < 5; ++i) {
      const auto now = regions(pass(after));
      found = found || (now.size() == 1 && now[0].id == 1 && overlap(now[0].box, expected) > 0.5f);
    }
    EXPECT_TRUE(found) << "scale " << scale;
  }
}

TEST_F(ClTrackerEvents, ParametersOfTheStartActOnTheNextStart) {
  set("seed", "7");
  set("threads", "1");
  EXPECT_EQ(regions(pass(picture_)).at(0).id, 1);
}

// A flush, or a change of state, while a frame is being worked on. Each happens as the element maps
// the picture, which is when a tracker is about to begin with it.
std::function<void()> on_map;  // called once
decltype(GstVideoMeta::map) default_map;

gboolean map_and_tell(GstVideoMeta* meta, guint plane, GstMapInfo* info, gpointer* data,
                      gint* stride, GstMapFlags flags) {
  if (const auto hook = std::exchange(on_map, nullptr)) hook();
  return default_map(meta, plane, info, data, stride, flags);
}

class ClTrackerStop : public testing::TestWithParam<const char*> {
 protected:
  BufferPtr pass() { return harness_.pass(draw_scene(320, 240, kTarget)); }
  guint64 frames() { return uint64_of(harness_.stats().get(), "frames"); }
  GstFlowReturn push_with_hook(std::function<void()> hook) {
    BufferPtr buffer = make_buffer(draw_scene(320, 240, kTarget), GST_VIDEO_FORMAT_GRAY8);
    GstVideoMeta* meta = gst_buffer_add_video_meta(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE,
                                                   GST_VIDEO_FORMAT_GRAY8, 320, 240);
    default_map = std::exchange(meta->map, map_and_tell);
    on_map = std::move(hook);
    return harness_.push(std::move(buffer));
  }
  void flush_during_a_frame() {
    EXPECT_EQ(push_with_hook([&] { gst_pad_send_event(sink_.get(), gst_event_new_flush_start()); }),
              GST_FLOW_FLUSHING);
    EXPECT_EQ(on_map, nullptr) << "the picture was mapped";
    harness_.push_event(gst_event_new_flush_stop(TRUE));
    harness_.push_segment();
  }

  GreyTracker harness_{{"targets", kTargets}, {"algorithm", GetParam()}};
  const PadPtr sink_{gst_element_get_static_pad(harness_.element(), "sink")};
};

INSTANTIATE_TEST_SUITE_P(ClTracker, ClTrackerStop, testing::Values("tld", "template"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(ClTrackerStop, AFlushEndsTheFrameAndLeavesTheTargets) {
  for (int i = 0; i < 5; ++i) EXPECT_THAT(regions(pass()), SizeIs(1));
  flush_during_a_frame();
  EXPECT_EQ(frames(), 5u);
  int found = 0;
  for (int i = 0; i < 5; ++i) {
    const auto now = regions(pass());
    found += now.size() == 1 && now[0].id == 1 && overlap(now[0].box, kTarget) > 0.6f;
  }
  EXPECT_GE(found, 4);
  EXPECT_EQ(frames(), 10u);
}

TEST_P(ClTrackerStop, AFlushOnTheFirstFrameLeavesNewTargetsForTheNextOne) {
  flush_during_a_frame();
  EXPECT_EQ(frames(), 0u);
  const auto found = boxes(pass());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0], kTarget);
}

TEST_P(ClTrackerStop, AChangeOfStateEndsTheFrame) {
  for (int i = 0; i < 3; ++i) EXPECT_THAT(regions(pass()), SizeIs(1));
  std::thread stopper;
  EXPECT_EQ(push_with_hook([&] {
              stopper = std::thread([&] { harness_.set_state(GST_STATE_READY); });
              // The element has heard of it before its pads have.
              while (!GST_PAD_IS_FLUSHING(sink_.get())) std::this_thread::yield();
            }),
            GST_FLOW_FLUSHING);
  stopper.join();
  EXPECT_EQ(frames(), 3u);
  EXPECT_THAT(harness_.texts(GST_MESSAGE_ERROR), IsEmpty());

  // And works once more.
  harness_.set_state(GST_STATE_PLAYING);
  harness_.push_event(gst_event_new_stream_start("again"));
  harness_.set_caps(320, 240);
  harness_.push_segment();
  EXPECT_THAT(regions(pass()), SizeIs(1));
}

}  // namespace
}  // namespace cltrack::test
