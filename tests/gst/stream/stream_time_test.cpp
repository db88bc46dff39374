// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/stream_time.h"

#include <gtest/gtest.h>

#include "../support/gst_ptr.h"

namespace cltrack::test {
namespace {

using gst::Continuity;
using gst::StreamInstant;
using gst::StreamTime;

constexpr GstClockTime kFrame = 40 * GST_MSECOND;
constexpr GstClockTime kNone = GST_CLOCK_TIME_NONE;

// Frame 0 and 1 of a stream of 25 frames a second have been seen.
class StreamTimeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    event(gst_event_new_stream_start("a"));
    segment({});
    expect(0, Continuity::follows, 0);
    expect(kFrame, Continuity::follows, kFrame);
  }

  void event(GstEvent* event) {
    const GstPtr<GstEvent> owner(event);
    time_.observe_event(event);
  }

  struct SegmentTimes {
    GstClockTime start = 0, time = 0, base = 0, stop = kNone;
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

  StreamInstant buffer(GstClockTime pts, int flags = 0) {
    const BufferPtr buffer(gst_buffer_new());
    GST_BUFFER_PTS(buffer.get()) = pts;
    GST_BUFFER_DURATION(buffer.get()) = kFrame;
    GST_BUFFER_FLAG_SET(buffer.get(), flags);
    return time_.observe_buffer(buffer.get());
  }
  void expect(GstClockTime pts, Continuity continuity, GstClockTime time, int flags = 0) {
    const StreamInstant now = buffer(pts, flags);
    EXPECT_EQ(static_cast<int>(now.continuity), static_cast<int>(continuity)) << "at " << pts;
    EXPECT_EQ(now.time, time) << "at " << pts;
  }

  StreamTime time_;
};

// --- flags and GAP events are hints

TEST_F(StreamTimeTest, FlagsChangeNothingWhereTimestampsGoOn) {
  for (const int flag : {GST_BUFFER_FLAG_DISCONT, GST_BUFFER_FLAG_RESYNC, GST_BUFFER_FLAG_GAP,
                         GST_BUFFER_FLAG_CORRUPTED, GST_BUFFER_FLAG_DROPPABLE}) {
    time_.reset();
    expect(0, Continuity::follows, 0, flag);
    expect(kFrame, Continuity::follows, kFrame, flag);
    expect(5 * kFrame, Continuity::follows, 5 * kFrame, flag);
  }
}

TEST_F(StreamTimeTest, GapEventsChangeNothingWhereTimestampsGoOn) {
  event(gst_event_new_gap(2 * kFrame, kFrame));
  expect(3 * kFrame, Continuity::follows, 3 * kFrame);
}

TEST_F(StreamTimeTest, WithoutTimestampsFlagsAreAllThatThereIs) {
  expect(kNone, Continuity::elsewhere, 2 * kFrame, GST_BUFFER_FLAG_DISCONT);
  expect(kNone, Continuity::follows, 3 * kFrame);
  expect(kNone, Continuity::elsewhere, 4 * kFrame, GST_BUFFER_FLAG_RESYNC);
  event(gst_event_new_gap(2 * kFrame, kFrame));
  expect(kNone, Continuity::elsewhere, 5 * kFrame);
  expect(kNone, Continuity::follows, 6 * kFrame);
}

// --- timestamps

TEST_F(StreamTimeTest, WithoutTimestampsTimeGoesOnByTheUsualInterval) {
  expect(kNone, Continuity::follows, 2 * kFrame);
  expect(kNone, Continuity::follows, 3 * kFrame);
  expect(4 * kFrame, Continuity::follows, 4 * kFrame);
}

TEST_F(StreamTimeTest, EqualTimestampsAreAsGoodAsNone) {
  EXPECT_TRUE(buffer(2 * kFrame).is_dated);
  EXPECT_FALSE(buffer(2 * kFrame).is_dated);
  EXPECT_FALSE(buffer(kNone).is_dated);
  expect(4 * kFrame, Continuity::follows, 4 * kFrame);
  expect(4 * kFrame, Continuity::follows, 5 * kFrame);
  expect(5 * kFrame, Continuity::follows, 5 * kFrame);
  for (int i = 1; i < 100; ++i) expect(5 * kFrame, Continuity::follows, (5 + i) * kFrame);
}

TEST_F(StreamTimeTest, DisorderStandsStill) {
  expect(4 * kFrame, Continuity::follows, 4 * kFrame);
  expect(2 * kFrame, Continuity::follows, 4 * kFrame);
  expect(3 * kFrame, Continuity::follows, 4 * kFrame);
  expect(5 * kFrame, Continuity::follows, 5 * kFrame);
}

TEST_F(StreamTimeTest, AStepBackIsAJumpAndTimeGoesOn) {
  for (int i = 2; i < 20; ++i) expect(i * kFrame, Continuity::follows, i * kFrame);
  expect(0, Continuity::time_jump, 20 * kFrame);
  expect(kFrame, Continuity::follows, 21 * kFrame);
  expect(3 * kFrame, Continuity::follows, 23 * kFrame);
}

TEST_F(StreamTimeTest, FarAheadIsAJumpAndTimeGoesOn) {
  const GstClockTime far = 3600 * GST_SECOND;
  expect(far, Continuity::time_jump, 2 * kFrame);
  expect(far + kFrame, Continuity::follows, 3 * kFrame);
}

TEST_F(StreamTimeTest, MissingPicturesAreNoJump) {
  expect(kFrame + 9 * GST_SECOND, Continuity::follows, kFrame + 9 * GST_SECOND);
}

TEST_F(StreamTimeTest, SlowStreamsDoNotJump) {
  time_.reset();
  const GstClockTime slow = 9 * GST_SECOND;
  for (int i = 0; i < 5; ++i) expect(i * slow, Continuity::follows, i * slow);
  expect(10 * slow, Continuity::follows, 10 * slow);
}

TEST_F(StreamTimeTest, TimeOfReversePlaybackGoesOn) {
  segment({.start = 0, .stop = 10 * GST_SECOND, .rate = -1});
  expect(10 * GST_SECOND, Continuity::elsewhere, 2 * kFrame);
  expect(10 * GST_SECOND - kFrame, Continuity::follows, 3 * kFrame);
  expect(10 * GST_SECOND - 3 * kFrame, Continuity::follows, 5 * kFrame);
}

TEST_F(StreamTimeTest, AnyTimestampsGiveTimesThatNeverStepBack) {
  GstClockTime before = kFrame;
  GstClockTime pts = 1;
  for (int i = 0; i < 2000; ++i) {
    pts = pts * 6364136223846793005u + 1442695040888963407u;
    const GstClockTime now = buffer(i % 7 == 0 ? kNone : pts >> i % 64).time;
    ASSERT_GE(now, before);
    before = now;
  }
}

// --- events

TEST_F(StreamTimeTest, FlushBreaksOnce) {
  event(gst_event_new_flush_stop(TRUE));
  expect(0, Continuity::elsewhere, 2 * kFrame);
  expect(kFrame, Continuity::follows, 3 * kFrame);
}

TEST_F(StreamTimeTest, SameSegmentAgainGoesOn) {
  segment({});
  expect(2 * kFrame, Continuity::follows, 2 * kFrame);
  segment({.stop = GST_SECOND});
  expect(3 * kFrame, Continuity::follows, 3 * kFrame);
}

TEST_F(StreamTimeTest, SegmentFromWhereTheOldOneEndedGoesOn) {
  segment({.start = 10 * GST_SECOND, .time = 2 * kFrame, .base = 2 * kFrame});
  expect(10 * GST_SECOND, Continuity::follows, 2 * kFrame);
  expect(10 * GST_SECOND + kFrame, Continuity::follows, 3 * kFrame);
}

TEST_F(StreamTimeTest, SegmentThatEndsWithinAPictureGoesOn) {
  segment({.stop = 3 * kFrame - 5});
  expect(2 * kFrame, Continuity::follows, 2 * kFrame);
  segment({.start = 0, .time = 3 * kFrame - 5, .base = 3 * kFrame - 5});
  expect(0, Continuity::follows, 3 * kFrame);
}

TEST_F(StreamTimeTest, SegmentElsewhereBreaks) {
  segment({.start = GST_SECOND, .time = GST_SECOND, .base = 2 * kFrame});
  expect(GST_SECOND, Continuity::elsewhere, 2 * kFrame);
}

TEST_F(StreamTimeTest, LoopToTheStartBreaks) {
  segment({.base = 2 * kFrame});
  expect(0, Continuity::elsewhere, 2 * kFrame);
}

TEST_F(StreamTimeTest, OtherRateBreaks) {
  segment({.rate = 2});
  expect(2 * kFrame, Continuity::elsewhere, 2 * kFrame);
}

TEST_F(StreamTimeTest, OtherStreamIsNew) {
  event(gst_event_new_stream_start("a"));
  expect(2 * kFrame, Continuity::follows, 2 * kFrame);
  event(gst_event_new_stream_start("b"));
  expect(0, Continuity::new_stream, 3 * kFrame);
  expect(kFrame, Continuity::follows, 4 * kFrame);
}

TEST_F(StreamTimeTest, NothingIsLeftAfterReset) {
  event(gst_event_new_flush_stop(TRUE));
  event(gst_event_new_stream_start("b"));
  time_.reset();
  event(gst_event_new_stream_start("c"));
  segment({.start = 5});
  expect(5, Continuity::follows, 0);
}

// --- pictures that nobody looks at

TEST_F(StreamTimeTest, WhatIsNotLookedAtHandsItsBreakOn) {
  event(gst_event_new_flush_stop(TRUE));
  expect(0, Continuity::elsewhere, 2 * kFrame);
  time_.not_looked_at();
  expect(kFrame, Continuity::elsewhere, 3 * kFrame);
  expect(2 * kFrame, Continuity::follows, 4 * kFrame);
  time_.not_looked_at();
  expect(3 * kFrame, Continuity::follows, 5 * kFrame);
}

}  // namespace
}  // namespace cltrack::test
