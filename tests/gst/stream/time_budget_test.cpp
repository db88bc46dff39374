// SPDX-License-Identifier: LGPL-2.1-or-later
// On a clock of the test, through the element.
#include "stream/effort_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "../support/late_stream.h"
#include "metadata/track_messages.h"

namespace cltrack {
namespace {

using test::LateStream;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr GstClockTimeDiff kMs = GST_MSECOND;
constexpr const char* kLimit = "100000000";  // ns

GstClockTimeDiff latest(const LateStream& stream) {
  return std::ranges::max_element(stream.pictures, {}, &LateStream::Picture::late)->late;
}

// Where it is looked at, the target is where it is; where it is not, nothing is said.
void expect_true_boxes(const LateStream& stream) {
  for (std::size_t i = 0; i < stream.pictures.size(); ++i) {
    const LateStream::Picture& picture = stream.pictures[i];
    ASSERT_THAT(picture.boxes, SizeIs(picture.is_looked_at ? 1 : 0)) << i;
    if (picture.is_looked_at) {
      EXPECT_GT(overlap(picture.boxes[0], test::moving_target(static_cast<int>(i))), 0.5f) << i;
    }
  }
}

guint64 count_skipped_events(LateStream& stream) {
  guint64 count = 0;
  while (const test::EventPtr event{gst_harness_try_pull_event(stream.harness().get())}) {
    count += gst::parse_skipped_event(event.get()).has_value();
  }
  return count;
}

TEST(TimeBudget, MotionGoesOnWhereTheDetectorIsTooSlow) {
  LateStream stream(kLimit);
  stream.detector_cost = 80 * kMs;
  stream.motion_cost = 20 * kMs;
  stream.run(100);
  EXPECT_LE(latest(stream), 180 * kMs);
  expect_true_boxes(stream);
  EXPECT_EQ(stream.count("frames-skipped"), 0u);
  EXPECT_GT(stream.count("frames-motion"), 30u);
  EXPECT_GT(stream.count("frames-full") + stream.count("frames-near"), 10u);
  EXPECT_EQ(stream.count("frames"), 100u);
}

TEST(TimeBudget, ATrackGoesOnAtTwiceTheRateThatThereIsTimeFor) {
  LateStream stream(kLimit);
  stream.detector_cost = stream.motion_cost = 80 * kMs;
  stream.run(100);
  EXPECT_LE(latest(stream), 180 * kMs);
  expect_true_boxes(stream);
  const guint64 skipped = stream.count("frames-skipped");
  EXPECT_GT(skipped, 30u);
  EXPECT_LT(skipped, 60u);
  EXPECT_EQ(stream.count("frames"), 100 - skipped);
  EXPECT_THAT(stream.states, SizeIs(100 - skipped));
  for (const auto& state : stream.states) EXPECT_NE(test::state_of(state), "lost");
  EXPECT_EQ(count_skipped_events(stream), skipped);

  stream.detector_cost = stream.motion_cost = 5 * kMs;
  stream.run(100);
  const guint64 full = stream.count("frames-full");
  stream.run(20);
  EXPECT_EQ(stream.count("frames-full"), full + 20) << "all is as before";
}

TEST(TimeBudget, NothingChangesWithoutALimitOrALiveSource) {
  for (const bool is_live : {true, false}) {
    LateStream stream(is_live ? "0" : kLimit);
    gst_harness_set_live(stream.harness().get(), is_live);
    stream.detector_cost = stream.motion_cost = 80 * kMs;
    stream.run(20);
    EXPECT_EQ(latest(stream), (80 * 20 - 40 * 19) * kMs);
    EXPECT_EQ(stream.count("frames-full"), 20u);
    EXPECT_THAT(stream.qos, IsEmpty());
  }
}

// Late when they come: nearly all are left out, and the break among them is not forgotten.
TEST(TimeBudget, ABreakIsSeenOnTheNextPictureThatIsLookedAt) {
  LateStream stream("1");
  stream.run(1);
  gst_test_clock_advance_time(GST_TEST_CLOCK(GST_ELEMENT_CLOCK(stream.harness().element())),
                              10 * GST_SECOND);
  std::string looks;
  for (int i = 1; i <= 15; ++i) {
    stream.detector_cost = 1;  // tells it from motion
    const GstClockTime before = stream.now();
    if (i == 7) stream.break_off();
    stream.step(i);
    looks += !stream.pictures.back().is_looked_at ? '-' : stream.now() > before ? 'd' : 'm';
  }
  EXPECT_EQ(looks, "----m----d----m");
}

// By default such events pass; with `qos`, work is given up for them, but no picture.
TEST(TimeBudget, EventsOfALateSinkTakeWorkAwayIfQosIsSet) {
  for (const bool qos : {false, true}) {
    LateStream stream("0");
    stream.harness().set("qos", qos ? "true" : "false");
    stream.run(5);
    gst_harness_push_upstream_event(
        stream.harness().get(),
        gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1, GST_SECOND, 4 * LateStream::kInterval));
    bool has_passed = false;
    while (GstEvent* event = gst_harness_try_pull_upstream_event(stream.harness().get())) {
      has_passed = has_passed || GST_EVENT_TYPE(event) == GST_EVENT_QOS;
      gst_event_unref(event);
    }
    EXPECT_TRUE(has_passed);
    stream.run(10);
    EXPECT_EQ(stream.count("frames-full"), qos ? 5u : 15u);
    EXPECT_EQ(stream.count("frames-near"), qos ? 1u : 0u);
    EXPECT_EQ(stream.count("frames-motion"), qos ? 9u : 0u);
    expect_true_boxes(stream);
    for (const auto& picture : stream.pictures) EXPECT_TRUE(picture.is_looked_at);
  }
}

}  // namespace
}  // namespace cltrack
