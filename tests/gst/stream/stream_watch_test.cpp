// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/stream_watch.h"

#include <gtest/gtest.h>

#include "../support/gst_ptr.h"

namespace cltrack::test {
namespace {

using gst::StreamWatch;

constexpr GstClockTime kFrame = 40 * GST_MSECOND;

class StreamWatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    event(gst_event_new_stream_start("a"));
    segment({});
    EXPECT_FALSE(buffer(0).discontinuity);
    EXPECT_FALSE(buffer(kFrame).discontinuity);
  }

  void event(GstEvent* event) {
    const GstPtr<GstEvent> owner(event);
    watch_.see_event(event);
  }

  struct SegmentTimes {
    GstClockTime start = 0, time = 0, base = 0, stop = GST_CLOCK_TIME_NONE;
    double rate = 1;
  };
  void segment(const SegmentTimes& times) {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.rate = times.rate;
    segment.start = times.start;
    segment.time = times.time;
    segment.base = times.base;
    segment.stop = times.stop;
    event(gst_event_new_segment(&segment));
  }

  StreamWatch::Verdict buffer(GstClockTime pts, int flags = 0) {
    const BufferPtr buffer(gst_buffer_new());
    GST_BUFFER_PTS(buffer.get()) = pts;
    GST_BUFFER_DURATION(buffer.get()) = kFrame;
    GST_BUFFER_FLAG_SET(buffer.get(), flags);
    return watch_.see_buffer(buffer.get());
  }

  StreamWatch watch_;
};

TEST_F(StreamWatchTest, FlushBreaksOnce) {
  event(gst_event_new_flush_stop(TRUE));
  EXPECT_TRUE(buffer(0).discontinuity);
  EXPECT_FALSE(buffer(kFrame).discontinuity);
}

TEST_F(StreamWatchTest, GapBreaks) {
  event(gst_event_new_gap(2 * kFrame, kFrame));
  EXPECT_TRUE(buffer(3 * kFrame).discontinuity);
}

TEST_F(StreamWatchTest, FlagsOfABufferBreak) {
  EXPECT_TRUE(buffer(2 * kFrame, GST_BUFFER_FLAG_DISCONT).discontinuity);
  EXPECT_TRUE(buffer(3 * kFrame, GST_BUFFER_FLAG_RESYNC).discontinuity);
  EXPECT_FALSE(buffer(4 * kFrame, GST_BUFFER_FLAG_MARKER).discontinuity);
}

TEST_F(StreamWatchTest, SameSegmentAgainGoesOn) {
  segment({});
  EXPECT_FALSE(buffer(2 * kFrame).discontinuity);
  segment({.stop = GST_SECOND});
  EXPECT_FALSE(buffer(3 * kFrame).discontinuity);
}

TEST_F(StreamWatchTest, SegmentFromWhereTheOldOneEndedGoesOn) {
  segment({.start = 10 * GST_SECOND, .time = 2 * kFrame, .base = 2 * kFrame});
  EXPECT_FALSE(buffer(10 * GST_SECOND).discontinuity);
}

TEST_F(StreamWatchTest, SegmentThatEndsWithinAPictureGoesOn) {
  segment({.stop = 3 * kFrame - 5});
  EXPECT_FALSE(buffer(2 * kFrame).discontinuity);
  segment({.start = 0, .time = 3 * kFrame - 5, .base = 3 * kFrame - 5});
  EXPECT_FALSE(buffer(0).discontinuity);
}

TEST_F(StreamWatchTest, SegmentElsewhereBreaks) {
  segment({.start = GST_SECOND, .time = GST_SECOND, .base = 2 * kFrame});
  EXPECT_TRUE(buffer(GST_SECOND).discontinuity);
}

TEST_F(StreamWatchTest, LoopToTheStartBreaks) {
  segment({.base = 2 * kFrame});
  EXPECT_TRUE(buffer(0).discontinuity);
}

TEST_F(StreamWatchTest, OtherRateBreaks) {
  segment({.rate = 2});
  EXPECT_TRUE(buffer(2 * kFrame).discontinuity);
}

TEST_F(StreamWatchTest, OtherStreamIsNew) {
  event(gst_event_new_stream_start("a"));
  EXPECT_FALSE(buffer(2 * kFrame).new_stream);
  event(gst_event_new_stream_start("b"));
  EXPECT_TRUE(buffer(3 * kFrame).new_stream);
  EXPECT_FALSE(buffer(4 * kFrame).new_stream);
}

TEST_F(StreamWatchTest, NothingIsLeftAfterReset) {
  event(gst_event_new_flush_stop(TRUE));
  event(gst_event_new_stream_start("b"));
  watch_.reset();
  event(gst_event_new_stream_start("c"));
  segment({.start = 5});
  const auto verdict = buffer(5);
  EXPECT_FALSE(verdict.new_stream);
  EXPECT_FALSE(verdict.discontinuity);
}

TEST_F(StreamWatchTest, SkippedBufferBreaks) {
  watch_.skipped_buffer();
  EXPECT_TRUE(buffer(2 * kFrame).discontinuity);
}

TEST_F(StreamWatchTest, BuffersWithoutTimesGoOn) {
  EXPECT_FALSE(buffer(GST_CLOCK_TIME_NONE).discontinuity);
  EXPECT_FALSE(buffer(GST_CLOCK_TIME_NONE).discontinuity);
}

}  // namespace
}  // namespace cltrack::test
