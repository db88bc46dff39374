// SPDX-License-Identifier: LGPL-2.1-or-later
// Work that is given up for time, through the element, on a clock of the test.
#include <gst/check/gsttestclock.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "../support/matchers.h"
#include "../support/tracker_harness.h"
#include "metadata/track_messages.h"

namespace cltrack::test {
namespace {

// A live source on a clock of the test, and pictures that cost what the test says: nothing depends
// on the machine's speed.
class LateStream {
 public:
  static constexpr GstClockTime kInterval = GST_SECOND / 25;

  // One target of moving_scene(), and `max_latency` in ns.
  explicit LateStream(const std::string& max_latency)
      : harness_{{"targets", targets_text(moving_target(0))},
                 {"max-latency", max_latency},
                 {"messages", "every-frame"}},
        bus_(gst_element_get_bus(harness_.element())) {
    gst_harness_use_testclock(harness_.get());
    clock_ = gst_harness_get_testclock(harness_.get());
    harness_.set_caps(320, 240);
    gst_bus_set_sync_handler(bus_.get(), on_message, this, nullptr);
  }
  ~LateStream() {
    gst_bus_set_sync_handler(bus_.get(), nullptr, nullptr, nullptr);
    gst_object_unref(clock_);
  }
  LateStream(const LateStream&) = delete;
  LateStream& operator=(const LateStream&) = delete;

  // What a picture costs that is looked at, with the detector and without.
  GstClockTime detector_cost = 0;
  GstClockTime motion_cost = 0;

  // Each picture comes at its time, or when the one before is done.
  void run(int count) {
    for (int i = 0; i < count; ++i) {
      EXPECT_NE(step(static_cast<int>(pictures.size())), nullptr);
    }
  }
  // The next ones are from elsewhere in the stream, at the same running times.
  void break_off() {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.time = 3600 * GST_SECOND;
    harness_.push_event(gst_event_new_segment(&segment));
  }
  // Each is shown so much after its time, and the element waits for that.
  void show_after(GstClockTimeDiff delay) {
    delay_ = delay;
    GstPad* pad = harness_.get()->sinkpad;
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, on_buffer, this, nullptr);
  }
  // The timestamps of the next ones are later by this than when they come.
  GstClockTimeDiff shift = 0;
  // All timestamps are that of the first picture.
  bool stands_still = false;
  // The next one, on which the target is where it is on picture `place`.
  BufferPtr step(int place) {
    BufferPtr picture = make_buffer(moving_scene(place), GST_VIDEO_FORMAT_GRAY8);
    const GstClockTime time = pictures.size() * kInterval;
    GST_BUFFER_PTS(picture.get()) = stands_still ? 0 : time + static_cast<GstClockTime>(shift);
    GST_BUFFER_DURATION(picture.get()) = kInterval;
    if (now() < time) gst_test_clock_set_time(clock_, time);
    const std::size_t before = states.size();
    BufferPtr out = harness_.pass(std::move(picture));
    pictures.push_back({GST_CLOCK_DIFF(time, now()), states.size() > before,
                        out ? boxes(out) : std::vector<BoundingBox>()});
    return out;
  }

  TrackerHarness& harness() { return harness_; }
  guint64 count(const char* field) { return uint64_of(harness_.stats().get(), field); }
  GstClockTime now() const { return gst_clock_get_time(GST_CLOCK(clock_)); }

  struct Picture {
    GstClockTimeDiff late;  // when it left, after its time
    bool is_looked_at;
    std::vector<BoundingBox> boxes;
  };
  std::vector<Picture> pictures;
  std::vector<StructurePtr> states;
  std::vector<MessagePtr> qos;

 private:
  // The message of its state comes while the element is at work on a picture.
  static GstBusSyncReply on_message(GstBus*, GstMessage* message, gpointer data) {
    auto* self = static_cast<LateStream*>(data);
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_QOS) {
      self->qos.emplace_back(gst_message_ref(message));
    }
    if (gst_message_has_name(message, "cltracker-state")) {
      self->states.emplace_back(gst_structure_copy(gst_message_get_structure(message)));
      const bool has_scan = self->scans() != std::exchange(self->scans_, self->scans());
      gst_test_clock_advance_time(
          self->clock_,
          static_cast<GstClockTimeDiff>(has_scan ? self->detector_cost : self->motion_cost));
    }
    return GST_BUS_PASS;
  }

  static GstPadProbeReturn on_buffer(GstPad*, GstPadProbeInfo* info, gpointer data) {
    auto* self = static_cast<LateStream*>(data);
    const GstClockTime shown =
        GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info)) + static_cast<GstClockTime>(self->delay_);
    if (self->now() < shown) gst_test_clock_set_time(self->clock_, shown);
    return GST_PAD_PROBE_OK;
  }

  guint64 scans() {
    const StructurePtr stats = harness_.stats();
    const GValue* stages = gst_structure_get_value(stats.get(), "stages");
    for (guint i = 0; i < gst_value_array_get_size(stages); ++i) {
      const GstStructure* stage = gst_value_get_structure(gst_value_array_get_value(stages, i));
      if (string_of(stage, "name") == "ferns") return uint64_of(stage, "calls");
    }
    ADD_FAILURE() << "no stage \"ferns\"";
    return 0;
  }

  TrackerHarness harness_;
  BusPtr bus_;
  GstTestClock* clock_;
  guint64 scans_ = 0;
  GstClockTimeDiff delay_ = 0;
};

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
      EXPECT_GT(overlap(picture.boxes[0], moving_target(static_cast<int>(i))), 0.5f) << i;
    }
  }
}

guint64 count_skipped_events(LateStream& stream) {
  guint64 count = 0;
  while (const EventPtr event{gst_harness_try_pull_event(stream.harness().get())}) {
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
  for (const auto& state : stream.states) EXPECT_NE(state_of(state), "lost");
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

// A camera that restarts its clock, or has none.
TEST(TimeBudget, NothingIsLateForTimestampsThatJumpOrStandStill) {
  for (const GstClockTimeDiff shift : {-2 * GST_SECOND, 3600 * GST_SECOND}) {
    LateStream stream(kLimit);
    stream.detector_cost = stream.motion_cost = 20 * kMs;
    stream.run(100);
    stream.shift = shift;
    stream.run(100);
    EXPECT_EQ(stream.count("frames-full"), 200u) << shift;
  }
  LateStream still(kLimit);
  still.detector_cost = still.motion_cost = 20 * kMs;
  still.stands_still = true;
  still.run(100);
  EXPECT_EQ(still.count("frames-full"), 100u);
}

// But what is too slow is late after a jump as before it.
TEST(TimeBudget, WorkIsGivenUpAfterAJumpAsBeforeIt) {
  LateStream stream(kLimit);
  stream.detector_cost = stream.motion_cost = 80 * kMs;
  stream.run(50);
  stream.shift = -GST_SECOND;
  stream.run(100);
  const guint64 skipped = stream.count("frames-skipped");
  EXPECT_GT(skipped, 50u);
  EXPECT_LT(skipped, 90u);
}

// A sink without a queue before it waits for the time of each picture, and so does the tracker.
TEST(TimeBudget, NoWorkIsGivenUpForASinkThatWaits) {
  for (const bool has_sink : {false, true}) {
    LateStream stream(kLimit);
    if (has_sink) stream.show_after(100 * kMs);
    for (int i = 0; i < 100; ++i) {
      stream.detector_cost = stream.motion_cost = (i % 4 == 3 ? 60 : 30) * kMs;
      stream.run(1);
    }
    EXPECT_EQ(stream.count("frames-full"), 100u) << has_sink;
  }
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

TEST(QosMessages, TellOfItNowAndThen) {
  LateStream stream("100000000");
  stream.detector_cost = stream.motion_cost = 80 * GST_MSECOND;
  stream.run(100);
  ASSERT_GT(stream.qos.size(), 5u);
  EXPECT_LE(stream.qos.size(), 17u) << "four a second";
  for (const auto& message : stream.qos) {
    EXPECT_EQ(GST_MESSAGE_SRC(message.get()), GST_OBJECT(stream.harness().element()));
    gboolean is_live = FALSE;
    gst_message_parse_qos(message.get(), &is_live, nullptr, nullptr, nullptr, nullptr);
    EXPECT_TRUE(is_live);
  }
  GstFormat format = GST_FORMAT_UNDEFINED;
  guint64 processed = 0, dropped = 0, time = 0;
  gst_message_parse_qos_stats(stream.qos.back().get(), &format, &processed, &dropped);
  gst_message_parse_qos(stream.qos.back().get(), nullptr, &time, nullptr, nullptr, nullptr);
  EXPECT_EQ(format, GST_FORMAT_BUFFERS);
  EXPECT_EQ(processed + dropped, time / LateStream::kInterval + 1);
  EXPECT_GT(dropped, 0u);
}

// The times of a picture, and how late it was.
TEST(QosMessages, SayWhichPictureAndHowLate) {
  const ElementPtr element(gst_bin_new("it"));
  const BusPtr bus(gst_bus_new());
  gst_element_set_bus(element.get(), bus.get());
  gst::QosMessages messages;
  const gst::BufferTimes times{10, 20, 30, 40};
  messages.post(element.get(), times, 7, gst::FrameEffort::none, {{1, 2, 3, 4}}, false);
  const MessagePtr message(gst_bus_pop(bus.get()));
  ASSERT_NE(message, nullptr);
  gboolean is_live = TRUE;
  guint64 running_time = 0, stream_time = 0, timestamp = 0, duration = 0, processed = 0,
          dropped = 0;
  gint64 late = 0;
  gint quality = -1;
  gst_message_parse_qos(message.get(), &is_live, &running_time, &stream_time, &timestamp,
                        &duration);
  gst_message_parse_qos_values(message.get(), &late, nullptr, &quality);
  gst_message_parse_qos_stats(message.get(), nullptr, &processed, &dropped);
  EXPECT_FALSE(is_live);
  EXPECT_EQ(timestamp, 10u);
  EXPECT_EQ(stream_time, 20u);
  EXPECT_EQ(running_time, 30u);
  EXPECT_EQ(duration, 40u);
  EXPECT_EQ(late, 7);
  EXPECT_EQ(quality, 0);
  EXPECT_EQ(processed, 6u);
  EXPECT_EQ(dropped, 4u);
  gst_element_set_bus(element.get(), nullptr);
}

}  // namespace
}  // namespace cltrack::test
