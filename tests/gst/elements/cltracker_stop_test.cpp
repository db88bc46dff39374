// SPDX-License-Identifier: LGPL-2.1-or-later
// A flush, or a change of state, while a frame is being worked on. Each happens as the element maps
// the picture, which is when a tracker is about to begin with it.
#include <gmock/gmock.h>
#include <gst/video/gstvideometa.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <utility>

#include "../support/tracker_harness.h"

namespace cltrack {
namespace {

using test::BufferPtr;
using test::TrackerHarness;
using ::testing::SizeIs;

const BoundingBox kTarget{100, 80, 48, 40};

std::function<void()> on_map;  // called once
decltype(GstVideoMeta::map) default_map;

gboolean map_and_tell(GstVideoMeta* meta, guint plane, GstMapInfo* info, gpointer* data,
                      gint* stride, GstMapFlags flags) {
  if (const auto hook = std::exchange(on_map, nullptr)) hook();
  return default_map(meta, plane, info, data, stride, flags);
}

BufferPtr buffer_with_hook(std::function<void()> hook) {
  BufferPtr buffer = test::make_buffer(test::draw_scene(320, 240, kTarget), GST_VIDEO_FORMAT_GRAY8);
  GstVideoMeta* meta = gst_buffer_get_video_meta(buffer.get());
  if (meta == nullptr) {
    meta = gst_buffer_add_video_meta(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE,
                                     GST_VIDEO_FORMAT_GRAY8, 320, 240);
  }
  default_map = meta->map;
  meta->map = map_and_tell;
  on_map = std::move(hook);
  return buffer;
}

guint64 frames_of(TrackerHarness& harness) {
  guint64 frames = 0;
  gst_structure_get_uint64(harness.stats().get(), "frames", &frames);
  return frames;
}

class ClTrackerStop : public ::testing::TestWithParam<const char*> {
 protected:
  ClTrackerStop() : harness_{{"targets", "<<100,80,48,40>>"}, {"algorithm", GetParam()}} {
    harness_.set_caps(320, 240);
  }

  BufferPtr pass() { return harness_.pass(test::draw_scene(320, 240, kTarget)); }

  void flush_during_a_frame() {
    const test::PadPtr pad(gst_element_get_static_pad(harness_.element(), "sink"));
    EXPECT_EQ(harness_.push(buffer_with_hook(
                  [&] { gst_pad_send_event(pad.get(), gst_event_new_flush_start()); })),
              GST_FLOW_FLUSHING);
    EXPECT_EQ(on_map, nullptr) << "the picture was mapped";
    harness_.push_event(gst_event_new_flush_stop(TRUE));
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    harness_.push_event(gst_event_new_segment(&segment));
  }

  TrackerHarness harness_;
};

TEST_P(ClTrackerStop, AFlushEndsTheFrameAndLeavesTheTargets) {
  for (int i = 0; i < 5; ++i) EXPECT_THAT(test::regions(pass()), SizeIs(1));
  flush_during_a_frame();
  EXPECT_EQ(frames_of(harness_), 5u);
  int found = 0;
  for (int i = 0; i < 5; ++i) {
    const auto regions = test::regions(pass());
    found += regions.size() == 1 && regions[0].id == 1 && overlap(regions[0].box, kTarget) > 0.6f;
  }
  EXPECT_GE(found, 4);
  EXPECT_EQ(frames_of(harness_), 10u);
}

TEST_P(ClTrackerStop, AFlushOnTheFirstFrameLeavesNewTargetsForTheNextOne) {
  flush_during_a_frame();
  EXPECT_EQ(frames_of(harness_), 0u);
  const auto boxes = test::boxes(pass());
  ASSERT_THAT(boxes, SizeIs(1));
  EXPECT_EQ(boxes[0], kTarget);
}

TEST_P(ClTrackerStop, AChangeOfStateEndsTheFrame) {
  for (int i = 0; i < 3; ++i) EXPECT_THAT(test::regions(pass()), SizeIs(1));
  const test::PadPtr pad(gst_element_get_static_pad(harness_.element(), "sink"));
  std::thread stopper;
  EXPECT_EQ(harness_.push(buffer_with_hook([&] {
    stopper = std::thread([&] { gst_element_set_state(harness_.element(), GST_STATE_READY); });
    // The element has heard of it before its pads have.
    while (!GST_PAD_IS_FLUSHING(pad.get())) std::this_thread::yield();
  })),
            GST_FLOW_FLUSHING);
  stopper.join();
  EXPECT_EQ(frames_of(harness_), 3u);
  EXPECT_THAT(harness_.texts(GST_MESSAGE_ERROR), SizeIs(0));

  // And works once more.
  TrackerHarness& again = harness_;
  gst_element_set_state(again.element(), GST_STATE_PLAYING);
  again.push_event(gst_event_new_stream_start("again"));
  const test::CapsPtr caps = test::caps_from(test::caps_text(320, 240, GST_VIDEO_FORMAT_GRAY8));
  again.push_event(gst_event_new_caps(caps.get()));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  again.push_event(gst_event_new_segment(&segment));
  EXPECT_THAT(test::regions(pass()), SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(ClTracker, ClTrackerStop, ::testing::Values("tld", "template"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace cltrack
