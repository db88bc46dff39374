// SPDX-License-Identifier: LGPL-2.1-or-later
// clcolortracker: events, flags, and changes of size and stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/color_scene.h"
#include "../support/tracker_harness.h"

namespace cltrack::test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr ColorPatch kElsewhere = {110, 70, 32, 40, kRedPatch.color};

struct Running : TrackerHarness {
  explicit Running(const char* blobs = "0")
      : TrackerHarness({{"colors", kRedColor}, {"blobs", blobs}}, "clcolortracker") {
    set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
    for (int i = 0; i < 3; ++i) EXPECT_THAT(regions(pass(color_picture({kRedPatch}))), SizeIs(1));
    states();
  }
};

void push_segment(TrackerHarness& harness, GstClockTime start) {
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.start = segment.time = segment.position = start;
  harness.push_event(gst_event_new_segment(&segment));
}

TEST(ClColorTrackerEvents, FlushKeepsObjects) {
  for (const char* blobs : {"0", "1"}) {
    Running harness(blobs);
    harness.push_event(gst_event_new_flush_start());
    harness.push_event(gst_event_new_flush_stop(TRUE));
    push_segment(harness, 10 * GST_SECOND);
    BufferPtr buffer = color_picture({kElsewhere});
    GST_BUFFER_PTS(buffer.get()) = 10 * GST_SECOND;
    harness.pass(std::move(buffer));
    const auto found = regions(harness.pass(color_picture({kElsewhere})));
    ASSERT_THAT(found, SizeIs(1)) << blobs;
    EXPECT_EQ(found[0].id, 1);
  }
}

TEST(ClColorTrackerEvents, GapBufferPassesWithoutARegion) {
  Running harness;
  BufferPtr buffer = color_picture({});
  GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_GAP);
  EXPECT_THAT(regions(harness.pass(std::move(buffer))), IsEmpty());
  EXPECT_THAT(harness.states(), IsEmpty()) << "filling was taken for the loss of the object";
}

TEST(ClColorTrackerEvents, AnotherStreamStartsAfresh) {
  Running harness;
  harness.set("colors", kRedColor);
  EXPECT_EQ(regions(harness.pass(color_picture({kRedPatch}))).at(0).id, 2);
  harness.push_event(gst_event_new_stream_start("another"));
  harness.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  push_segment(harness, 0);
  EXPECT_EQ(regions(harness.pass(color_picture({kRedPatch}))).at(0).id, 3)
      << "an id is that of one object until the element stops";
}

TEST(ClColorTrackerEvents, OtherFormatMidStreamKeepsIds) {
  Running harness;
  harness.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_NV12);
  const auto found = regions(harness.pass(color_picture({kRedPatch}, GST_VIDEO_FORMAT_NV12)));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, 1);
  EXPECT_THAT(harness.states(), IsEmpty()) << "neither lost nor new";
}

TEST(ClColorTrackerEvents, StopsAndStartsAgain) {
  Running harness;
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  gst_element_set_state(harness.element(), GST_STATE_PLAYING);
  gst_harness_push_event(harness.get(), gst_event_new_stream_start("again"));
  harness.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  push_segment(harness, 0);
  EXPECT_EQ(regions(harness.pass(color_picture({kRedPatch}))).at(0).id, 1);
}

}  // namespace
}  // namespace cltrack::test
