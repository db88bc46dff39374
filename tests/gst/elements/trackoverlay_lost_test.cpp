// SPDX-License-Identifier: LGPL-2.1-or-later
// How trackoverlay shows that a track is lost, and for how long.
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include "../support/overlay_harness.h"
#include "metadata/track_messages.h"

namespace cltrack::test {
namespace {

class TrackOverlayLost : public testing::Test {
 protected:
  void start(OverlayHarness& overlay) {
    overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
    EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  }
};

TEST_F(TrackOverlayLost, IsShownForLostTimeAndNoLonger) {
  OverlayHarness overlay("lost-time=200000000");
  start(overlay);
  for (int frame = 1; frame <= 5; ++frame) EXPECT_TRUE(overlay.draws({})) << frame;
  EXPECT_FALSE(overlay.draws({}));
}

TEST_F(TrackOverlayLost, LooksUnlikeAllElse) {
  OverlayHarness overlay("color=0xffffffff");
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_GRAY8, 320, 240));
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  const BufferPtr result = overlay.pass(make_picture(overlay.info()));
  const Pixels pixels = read_pixels(result.get(), overlay.info());
  int grey = 0;
  for (int x = 100; x < 160; ++x) {
    EXPECT_LT(pixels.at(x, 128)[1], 200 * 257);
    grey += pixels.at(x, 128)[1] > 150 * 257;
  }
  EXPECT_GT(grey, 10);
  EXPECT_LT(grey, 40);
}

TEST_F(TrackOverlayLost, WhatWasRemovedIsNotLost) {
  OverlayHarness overlay;
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  gst_harness_push_event(overlay.get(), gst::make_removed_event("tracker", 2, "thing"));
  EXPECT_TRUE(overlay.draws({})) << "it was another";
  gst_harness_push_event(overlay.get(), gst::make_removed_event("tracker", 1, "thing"));
  EXPECT_FALSE(overlay.draws({}));
}

TEST_F(TrackOverlayLost, ZeroIsNotAtAll) {
  OverlayHarness overlay("lost-time=0");
  start(overlay);
  EXPECT_FALSE(overlay.draws({}));
}

TEST_F(TrackOverlayLost, WithoutTimestampsFramesAreCounted) {
  OverlayHarness overlay("lost-time=80000000");
  overlay.set_next_time(GST_CLOCK_TIME_NONE);
  start(overlay);
  EXPECT_TRUE(overlay.draws({}));
  EXPECT_TRUE(overlay.draws({}));
  EXPECT_FALSE(overlay.draws({}));
}

TEST_F(TrackOverlayLost, WithoutTimestampsAndFrameRateNothingIsShown) {
  OverlayHarness overlay;
  overlay.set_next_time(GST_CLOCK_TIME_NONE);
  GstVideoInfo info = video_info(GST_VIDEO_FORMAT_I420, 320, 240);
  GST_VIDEO_INFO_FPS_N(&info) = 0;
  overlay.set_caps(info);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  EXPECT_FALSE(overlay.draws({}));
}

TEST_F(TrackOverlayLost, NothingIsLostInAGap) {
  OverlayHarness overlay;
  start(overlay);
  BufferPtr gap = make_picture(overlay.info());
  GST_BUFFER_FLAG_SET(gap.get(), GST_BUFFER_FLAG_GAP);
  const auto before = bytes_of(gap.get());
  EXPECT_EQ(bytes_of(overlay.pass(std::move(gap)).get()), before);
  EXPECT_TRUE(overlay.draws({})) << "lost afterwards";
}

TEST_F(TrackOverlayLost, IsForgottenOnFlush) {
  OverlayHarness overlay;
  start(overlay);
  gst_harness_push_event(overlay.get(), gst_event_new_flush_start());
  gst_harness_push_event(overlay.get(), gst_event_new_flush_stop(TRUE));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(overlay.get(), gst_event_new_segment(&segment));
  EXPECT_FALSE(overlay.draws({}));
}

TEST_F(TrackOverlayLost, IsForgottenWithANewSegment) {
  OverlayHarness overlay;
  start(overlay);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(overlay.get(), gst_event_new_segment(&segment));
  EXPECT_FALSE(overlay.draws({}));
}

TEST_F(TrackOverlayLost, IsForgottenWithANewStream) {
  OverlayHarness overlay;
  start(overlay);
  gst_harness_push_event(overlay.get(), gst_event_new_stream_start("another"));
  EXPECT_FALSE(overlay.draws({}));
}

TEST_F(TrackOverlayLost, IsForgottenByARestart) {
  OverlayHarness overlay;
  start(overlay);
  gst_element_set_state(overlay.element(), GST_STATE_READY);
  gst_element_set_state(overlay.element(), GST_STATE_PLAYING);
  gst_harness_push_event(overlay.get(), gst_event_new_stream_start("again"));
  overlay.set_caps(overlay.info());
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(overlay.get(), gst_event_new_segment(&segment));
  EXPECT_FALSE(overlay.draws({}));
}

TEST_F(TrackOverlayLost, FollowsThePicturesSize) {
  OverlayHarness overlay("line-width=2");
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_GRAY8, 320, 240));
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  // Caps alone, as decoders send them in the middle of a stream.
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_GRAY8, 640, 480);
  const CapsPtr caps(gst_video_info_to_caps(&info));
  gst_harness_push_event(overlay.get(), gst_event_new_caps(caps.get()));
  BufferPtr buffer = make_picture(info);
  const Pixels before = read_pixels(buffer.get(), info);
  const Pixels after = read_pixels(overlay.pass(std::move(buffer)).get(), info);
  EXPECT_NE(after.at(200, 160), before.at(200, 160)) << "corner of the box, twice as far away";
  EXPECT_NE(after.at(319, 259), before.at(319, 259)) << "the opposite one";
  EXPECT_EQ(after.at(100, 80), before.at(100, 80)) << "where it was";
}

}  // namespace
}  // namespace cltrack::test
