// SPDX-License-Identifier: LGPL-2.1-or-later
// What to track, said while buffers flow: by signals, by events in all directions, by properties.
// What becomes of it is tested in control/.
#include <atomic>
#include <thread>

#include "../support/matchers.h"
#include "../support/tracking_elements.h"
#include "metadata/track_messages.h"

namespace cltrack::test {
namespace {

class TrackerControl : public TrackingElementTest {
 protected:
  std::uint64_t add(const char* label) { return add_target(harness_, GetParam().object, label); }
  static std::string place() {
    const BoundingBox& box = GetParam().object;
    return "x=(int)" + std::to_string(static_cast<int>(box.x)) + ", y=(double)" +
           std::to_string(box.y) + ", width=(guint64)" +
           std::to_string(static_cast<int>(box.width)) + ", height=(float)" +
           std::to_string(box.height);
  }
  bool send(GstEventType type, const std::string& fields) {
    GstEvent* event = control_event(type, fields);
    return type == GST_EVENT_CUSTOM_UPSTREAM
               ? gst_harness_push_upstream_event(harness_.get(), event)
               : gst_harness_push_event(harness_.get(), event);
  }
  void expect_target_from_next_buffer(std::uint64_t id, const std::string& label) {
    const auto found = track();
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].id, static_cast<int>(id));
    EXPECT_EQ(found[0].label, label);
    EXPECT_GT(overlap(found[0].box, GetParam().object), 0.9f);
  }
};

INSTANTIATE_TEST_SUITE_P(Elements, TrackerControl, testing::ValuesIn(tracking_elements()),
                         element_name);

TEST_P(TrackerControl, SignalAddsFromTheNextBufferOn) {
  track();
  EXPECT_EQ(add("ball"), 1u);
  expect_target_from_next_buffer(1, "ball");
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "added");
  EXPECT_EQ(found[0].id, 1u);
  EXPECT_EQ(found[0].label, "ball");
  EXPECT_EQ(found[0].source, "signal");
  EXPECT_EQ(found[0].reason, "");
  EXPECT_EQ(found[0].timestamp, GST_SECOND / 25);
  EXPECT_EQ(found[0].running_time, GST_SECOND / 25);
}

TEST_P(TrackerControl, SignalBeforeTheFirstBuffer) {
  EXPECT_EQ(add(nullptr), 1u);
  expect_target_from_next_buffer(1, "object");
}

TEST_P(TrackerControl, SignalRemovesWhateverAddedIt) {
  set_target();
  EXPECT_THAT(track(), SizeIs(1));
  EXPECT_TRUE(remove_target(harness_, 1));
  EXPECT_THAT(track(), IsEmpty());
  EXPECT_FALSE(remove_target(harness_, 1));
  EXPECT_FALSE(move_target(harness_, 1, GetParam().object));
  EXPECT_THAT(actions(harness_), ElementsAre("added", "removed", "refused", "refused"));
}

TEST_P(TrackerControl, ElementsDownstreamAreToldOfWhatIsRemoved) {
  const auto removed = [&] {
    std::vector<int> ids;
    while (const EventPtr event{gst_harness_try_pull_event(harness_.get())}) {
      if (const auto track = gst::parse_removed_event(event.get())) ids.push_back(track->track.id);
    }
    return ids;
  };
  add("ball");
  track();
  EXPECT_THAT(removed(), IsEmpty());
  remove_target(harness_, 1);
  track();
  EXPECT_THAT(removed(), ElementsAre(1));
}

// Where two are of one colour, the first has the object.
TEST_P(TrackerControl, SignalClearsAllAndAPropertyItsOwn) {
  add("signal");
  track();
  set_target();
  track();
  EXPECT_THAT(actions(harness_), ElementsAre("added", "added"));
  harness_.set(GetParam().target.name, "<>");
  expect_target_from_next_buffer(1, "signal");
  set_target();
  track();
  EXPECT_THAT(actions(harness_), ElementsAre("removed", "added"));
  clear_targets(harness_);
  EXPECT_THAT(track(), IsEmpty());
  EXPECT_THAT(actions(harness_), ElementsAre("removed", "removed"));
  set_target();
  EXPECT_EQ(track().at(0).id, 4);
}

TEST_P(TrackerControl, WhatCannotBeATargetIsRefusedAtOnce) {
  EXPECT_EQ(add_target(harness_, {0, 0, 4, 4}, "small"), 0u);
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "refused");
  EXPECT_EQ(found[0].id, 0u);
  EXPECT_THAT(found[0].reason, HasSubstr("at least 8x8 pixels"));
  EXPECT_EQ(found[0].timestamp, GST_CLOCK_TIME_NONE);
  EXPECT_EQ(add("\xff"), 0u);
  EXPECT_THAT(harness_.texts(GST_MESSAGE_WARNING), ElementsAre(HasSubstr("UTF-8")));
  EXPECT_THAT(track(), IsEmpty());
}

TEST_P(TrackerControl, AnotherStreamEndsThem) {
  add("ball");
  track();
  begin_stream("another");
  EXPECT_THAT(track(), IsEmpty());
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[1].action, "removed");
  EXPECT_THAT(found[1].reason, HasSubstr("another stream"));
  EXPECT_EQ(add("ball"), 2u) << "ids are not used again";
  expect_target_from_next_buffer(2, "ball");
}

TEST_P(TrackerControl, TheStopEndsThem) {
  add("ball");
  track();
  harness_.set_state(GST_STATE_READY);
  EXPECT_FALSE(remove_target(harness_, 1));
  EXPECT_EQ(add("again"), 1u) << "said while stopped, for the next start";
  harness_.set_state(GST_STATE_PLAYING);
  begin_stream("again");
  expect_target_from_next_buffer(1, "again");
}

TEST_P(TrackerControl, EventsOfEachKindAdd) {
  track();
  for (const GstEventType type :
       {GST_EVENT_CUSTOM_UPSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM_OOB}) {
    EXPECT_TRUE(
        send(type, "command=(string)add, " + place() + ", label=(string)ball, request=(gint64)-7"));
    const auto regions = track();
    ASSERT_THAT(regions, SizeIs(1)) << gst_event_type_get_name(type);
    EXPECT_EQ(regions[0].label, "ball");
    const auto found = answers(harness_);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].source, "event");
    EXPECT_EQ(found[0].request, -7);
    EXPECT_TRUE(send(type, "command=remove, id=(guint64)" + std::to_string(regions[0].id)));
    EXPECT_THAT(track(), IsEmpty());
    EXPECT_THAT(actions(harness_), ElementsAre("removed"));
  }
}

TEST_P(TrackerControl, AnEventForTheElementItself) {
  for (const GstEventType type : {GST_EVENT_CUSTOM_UPSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM}) {
    EXPECT_TRUE(
        gst_element_send_event(harness_.element(), control_event(type, "command=add, " + place())));
  }
  track();
  EXPECT_THAT(actions(harness_), ElementsAre("added", "added"));
  EXPECT_TRUE(send(GST_EVENT_CUSTOM_UPSTREAM, "command=clear"));
  EXPECT_THAT(track(), IsEmpty());
}

TEST_P(TrackerControl, BadEventsAreAnsweredAndChangeNothing) {
  const std::pair<const char*, const char*> kBad[] = {
      {"command=paint", "allowed: add, move"},
      {"x=1", "allowed: add, move"},
      {"command=(int)3", "is not a string"},
      {"command=add, x=1, y=2, width=30", "height is missing"},
      {"command=add, x=(string)one, y=2, width=30, height=40", "x \"one\" is not a number"},
      {"command=add, x=(boolean)true, y=2, width=30, height=40", "is not a number"},
      {"command=add, x=1, y=2, width=3, height=40", "at least 8x8 pixels"},
      {"command=add, x=1, y=2, width=30, height=40, units=miles", "allowed: pixels, fraction"},
      {"command=add, x=1, y=2, width=30, height=40, request=(string)a", "request"},
      {"command=remove, id=0", "not a positive integer"},
      {"command=remove, id=1.5", "not a positive integer"},
      {"command=remove, id=-1", "not a positive integer"},
      {"command=remove, id=7", "no target with the id 7"},
  };
  for (const auto& [fields, why] : kBad) {
    EXPECT_FALSE(send(GST_EVENT_CUSTOM_UPSTREAM, fields)) << fields;
    const auto found = answers(harness_);
    ASSERT_THAT(found, SizeIs(1)) << fields;
    EXPECT_EQ(found[0].action, "refused");
    EXPECT_THAT(found[0].reason, HasSubstr(why));
    // Downstream they are no failure of the stream.
    EXPECT_TRUE(send(GST_EVENT_CUSTOM_DOWNSTREAM, fields));
    EXPECT_THAT(answers(harness_), SizeIs(1)) << fields;
  }
  EXPECT_THAT(track(), IsEmpty());
}

TEST_P(TrackerControl, WhatIsForOthersIsPassedOn) {
  gst_element_set_name(harness_.element(), "mine");
  const std::string add = "command=add, " + place() + ", element=(string)";
  for (const GstEventType type : {GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_CUSTOM_UPSTREAM}) {
    send(type, add + "yours");
  }
  EXPECT_THAT(track(), IsEmpty());
  EXPECT_EQ(control_events_downstream(harness_), 1);
  EXPECT_EQ(control_events_upstream(harness_), 1);
  EXPECT_TRUE(send(GST_EVENT_CUSTOM_DOWNSTREAM, add + "mine"));
  EXPECT_THAT(track(), SizeIs(1));
  EXPECT_EQ(control_events_downstream(harness_), 0) << "what is done is not passed on";
}

TEST_P(TrackerControl, AnyThreadMayAskWhileBuffersFlow) {
  std::atomic<bool> done = false;
  std::atomic<int> added = 0, removed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; !done; ++n) {
        const auto id = add_target(harness_, {10.0f + static_cast<float>(i), 10, 20, 20}, "t");
        added += id != 0;
        move_target(harness_, id, {30, 30, 20, 20});
        gst_element_send_event(
            harness_.element(),
            control_event(GST_EVENT_CUSTOM_UPSTREAM, "command=remove, id=(double)1e15"));
        removed += remove_target(harness_, id);
        harness_.stats();
      }
    });
  }
  for (int i = 0; i < 20 || added == 0; ++i) EXPECT_NE(harness_.pass(picture()), nullptr);
  done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(added, removed);
  EXPECT_THAT(track(), IsEmpty());
  const auto id = add("last");
  EXPECT_EQ(id, static_cast<std::uint64_t>(added) + 1);
  expect_target_from_next_buffer(id, "last");
}

// --- of one of them

TEST(ClTrackerControl, MovesAndKeepsTheId) {
  GreyTracker harness;
  add_target(harness, {10, 10, 48, 40}, "ball");
  harness.pass(draw_scene(320, 240, kTarget));
  EXPECT_TRUE(move_target(harness, 1, {50, 50, 48, 40}));
  EXPECT_TRUE(gst_harness_push_upstream_event(
      harness.get(), control_event(GST_EVENT_CUSTOM_UPSTREAM,
                                   "command=move, id=(double)1, units=fraction, x=0.3125, "
                                   "y=0.333333343, width=0.15, height=0.166666672")));
  const auto found = regions(harness.pass(draw_scene(320, 240, kTarget)));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, 1);
  EXPECT_EQ(found[0].label, "ball");
  EXPECT_GT(overlap(found[0].box, kTarget), 0.9f);
  EXPECT_THAT(actions(harness), ElementsAre("added", "moved", "moved"));
}

TEST(ClTrackerControl, AnEventStopsLearning) {
  GreyTracker harness;
  harness.push_event(
      control_event(GST_EVENT_CUSTOM_DOWNSTREAM, "command=learning, learning=false"));
  gboolean learning = TRUE;
  g_object_get(harness.object(), "learning", &learning, nullptr);
  EXPECT_FALSE(learning);
  harness.push_event(control_event(GST_EVENT_CUSTOM_DOWNSTREAM, "command=learning"));
  EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("learning is missing")));
}

TEST(ClTrackerControl, TargetsAsJson) {
  GreyTracker harness;
  harness.set("targets-json", R"([{"x":100,"y":80,"width":48,"height":40,"label":"ball"}])");
  EXPECT_EQ(regions(harness.pass(draw_scene(320, 240, kTarget))).at(0).label, "ball");
  EXPECT_EQ(text_property(harness.object(), "targets-json"),
            R"([{"height":40.0,"label":"ball","width":48.0,"x":100.0,"y":80.0}])");
  harness.set("targets-json", "nonsense");
  EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("targets-json: ")));
  EXPECT_EQ(regions(harness.pass(draw_scene(320, 240, kTarget))).at(0).id, 1);
}

class ColorControl : public testing::Test {
 protected:
  ColorControl() : harness_({}, "clcolortracker") {
    harness_.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  }
  std::uint64_t add_color(const char* text) {
    const StructurePtr structure(gst_structure_from_string(text, nullptr));
    guint64 id = 0;
    g_signal_emit_by_name(harness_.object(), "add-color", structure.get(), &id);
    return id;
  }
  std::vector<std::string> labels() {
    std::vector<std::string> found;
    for (const auto& region :
         regions(harness_.pass(color_picture({kRedPatch, {100, 60, 30, 30, {20, 30, 200}}})))) {
      found.push_back(region.label);
    }
    return found;
  }

  static constexpr const char* kRed = "hsv, hue-min=340, hue-max=20, saturation-min=0.6, label=red";
  TrackerHarness harness_;
};

TEST_F(ColorControl, AddsAndRemovesColours) {
  EXPECT_THAT(labels(), IsEmpty());
  EXPECT_EQ(add_color(kRed), 1u);
  EXPECT_EQ(add_color("rgb, red=20, green=30, blue=200, label=blue"), 2u);
  EXPECT_THAT(labels(), ElementsAre("red", "blue"));
  EXPECT_TRUE(remove_target(harness_, 1));
  EXPECT_THAT(labels(), ElementsAre("blue"));
  EXPECT_EQ(add_color("box, x=40, y=24, width=32, height=40"), 3u);
  EXPECT_THAT(labels(), ElementsAre("blue", "object")) << "the colour in the box";
}

TEST_F(ColorControl, WhatIsNoColourIsRefused) {
  EXPECT_EQ(add_color("cmyk, cyan=1"), 0u);
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "refused");
  EXPECT_THAT(found[0].reason, HasSubstr("is called cmyk"));
  EXPECT_FALSE(gst_element_send_event(
      harness_.element(),
      control_event(GST_EVENT_CUSTOM_UPSTREAM, "command=learning, learning=false")));
  EXPECT_THAT(harness_.texts(), ElementsAre(HasSubstr("does not learn")));
}

TEST_F(ColorControl, NoMoreThanThereIsRoomFor) {
  labels();
  for (int i = 1; i <= 255; ++i) EXPECT_EQ(add_color(kRed), static_cast<std::uint64_t>(i));
  EXPECT_EQ(add_color(kRed), 0u);
  EXPECT_THAT(harness_.texts(), ElementsAre(HasSubstr("255 are allowed")));
  labels();
  EXPECT_THAT(harness_.texts(), IsEmpty());
}

}  // namespace
}  // namespace cltrack::test
