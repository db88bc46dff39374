// SPDX-License-Identifier: LGPL-2.1-or-later
// What to track, said while buffers flow: by signals, by events in all directions, by properties.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "../support/control.h"
#include "../support/tracker_harness.h"
#include "metadata/track_messages.h"

namespace cltrack {
namespace {

using test::add_target;
using test::answers;
using test::clear_targets;
using test::control_event;
using test::move_target;
using test::remove_target;
using test::TrackerHarness;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr BoundingBox kTarget{100, 80, 48, 40};

Image picture() { return test::draw_scene(320, 240, kTarget); }

class ControlTest : public ::testing::Test {
 protected:
  ControlTest() { harness_.set_caps(320, 240); }

  std::vector<gst::TrackRegion> track() { return test::regions(harness_.pass(picture())); }
  void expect_target_from_next_buffer(std::uint64_t id, const std::string& label) {
    const auto regions = track();
    ASSERT_THAT(regions, SizeIs(1));
    EXPECT_EQ(regions[0].id, static_cast<int>(id));
    EXPECT_EQ(regions[0].label, label);
    EXPECT_GT(overlap(regions[0].box, kTarget), 0.9f);
  }

  TrackerHarness harness_;
};

// --- signals

TEST_F(ControlTest, SignalAddsFromTheNextBufferOn) {
  track();
  EXPECT_EQ(add_target(harness_, kTarget, "ball"), 1u);
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

TEST_F(ControlTest, SignalBeforeTheFirstBuffer) {
  EXPECT_EQ(add_target(harness_, kTarget, nullptr), 1u);
  expect_target_from_next_buffer(1, "object");
}

TEST_F(ControlTest, SignalMovesAndKeepsTheId) {
  add_target(harness_, {10, 10, 48, 40}, "ball");
  track();
  EXPECT_TRUE(move_target(harness_, 1, kTarget));
  expect_target_from_next_buffer(1, "ball");
  EXPECT_THAT(test::actions(harness_), ElementsAre("added", "moved"));
}

TEST_F(ControlTest, SignalRemovesWhateverAddedIt) {
  harness_.set("targets", "<<100,80,48,40>>");
  EXPECT_THAT(track(), SizeIs(1));
  EXPECT_TRUE(remove_target(harness_, 1));
  EXPECT_THAT(track(), IsEmpty());
  EXPECT_FALSE(remove_target(harness_, 1));
  EXPECT_FALSE(move_target(harness_, 1, kTarget));
  EXPECT_THAT(test::actions(harness_), ElementsAre("added", "removed", "refused", "refused"));
}

TEST_F(ControlTest, ElementsDownstreamAreToldOfWhatIsRemoved) {
  const auto removed = [&] {
    std::vector<int> ids;
    while (GstEvent* event = gst_harness_try_pull_event(harness_.get())) {
      if (const auto track = gst::parse_removed_event(event)) ids.push_back(track->track.id);
      gst_event_unref(event);
    }
    return ids;
  };
  add_target(harness_, kTarget, "ball");
  track();
  EXPECT_THAT(removed(), IsEmpty());
  remove_target(harness_, 1);
  track();
  EXPECT_THAT(removed(), ElementsAre(1));
}

TEST_F(ControlTest, SignalClearsAll) {
  harness_.set("targets", "<<100,80,48,40>>");
  add_target(harness_, {10, 10, 48, 40}, "b");
  EXPECT_THAT(track(), SizeIs(2));
  clear_targets(harness_);
  EXPECT_THAT(track(), IsEmpty());
  harness_.set("targets", "<<100,80,48,40>>");
  expect_target_from_next_buffer(3, "object");
}

TEST_F(ControlTest, PropertyAndSignalDoNotTouchEachOther) {
  add_target(harness_, kTarget, "signal");
  track();
  harness_.set("targets", "<<10,10,48,40,property>>");
  EXPECT_THAT(track(), SizeIs(2));
  harness_.set("targets", "<>");
  expect_target_from_next_buffer(1, "signal");
}

TEST_F(ControlTest, WhatCannotBeATargetIsRefusedAtOnce) {
  EXPECT_EQ(add_target(harness_, {0, 0, 4, 4}, "small"), 0u);
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "refused");
  EXPECT_EQ(found[0].id, 0u);
  EXPECT_THAT(found[0].reason, HasSubstr("at least 8 pixels"));
  EXPECT_EQ(found[0].timestamp, GST_CLOCK_TIME_NONE);
  EXPECT_EQ(add_target(harness_, kTarget, "\xff"), 0u);
  EXPECT_THAT(harness_.texts(GST_MESSAGE_WARNING), ElementsAre(HasSubstr("UTF-8")));
  EXPECT_THAT(track(), IsEmpty());
}

TEST_F(ControlTest, WhatIsNotOnThePictureIsRefusedThere) {
  EXPECT_EQ(add_target(harness_, {500, 0, 40, 40}, "outside"), 1u);
  EXPECT_THAT(track(), IsEmpty());
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "refused");
  EXPECT_EQ(found[0].id, 1u);
  EXPECT_THAT(found[0].reason, HasSubstr("320x240"));
  EXPECT_FALSE(remove_target(harness_, 1));
}

TEST_F(ControlTest, MaxTargetsHolds) {
  TrackerHarness harness{{"max-targets", "2"}, {"targets", "<<100,80,48,40>>"}};
  harness.set_caps(320, 240);
  harness.pass(picture());
  EXPECT_EQ(add_target(harness, {10, 10, 48, 40}, nullptr), 2u);
  EXPECT_EQ(add_target(harness, {10, 90, 48, 40}, nullptr), 0u);
  EXPECT_THAT(test::regions(harness.pass(picture())), SizeIs(2));
  EXPECT_TRUE(remove_target(harness, 1));
  EXPECT_EQ(add_target(harness, {10, 90, 48, 40}, nullptr), 3u);
}

TEST_F(ControlTest, AnotherStreamEndsThem) {
  add_target(harness_, kTarget, "ball");
  track();
  harness_.push_event(gst_event_new_stream_start("another"));
  harness_.set_caps(320, 240);
  EXPECT_THAT(track(), IsEmpty());
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[1].action, "removed");
  EXPECT_THAT(found[1].reason, HasSubstr("another stream"));
  EXPECT_EQ(add_target(harness_, kTarget, "ball"), 2u) << "ids are not used again";
  expect_target_from_next_buffer(2, "ball");
}

TEST_F(ControlTest, TheStopEndsThem) {
  add_target(harness_, kTarget, "ball");
  track();
  gst_element_set_state(harness_.element(), GST_STATE_READY);
  EXPECT_FALSE(remove_target(harness_, 1));
  EXPECT_EQ(add_target(harness_, kTarget, "again"), 1u) << "said while stopped, for the next start";
  gst_element_set_state(harness_.element(), GST_STATE_PLAYING);
  gst_harness_push_event(harness_.get(), gst_event_new_stream_start("again"));
  harness_.set_caps(320, 240);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(harness_.get(), gst_event_new_segment(&segment));
  expect_target_from_next_buffer(1, "again");
}

// --- events

TEST_F(ControlTest, EventsOfEachKindAdd) {
  for (const GstEventType type :
       {GST_EVENT_CUSTOM_UPSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM_OOB}) {
    TrackerHarness harness;
    harness.set_caps(320, 240);
    harness.pass(picture());
    GstEvent* event = control_event(
        type,
        "command=(string)add, x=(int)100, y=(double)80, width=(guint64)48, height=(float)40, "
        "label=(string)ball, request=(gint64)-7");
    if (type == GST_EVENT_CUSTOM_UPSTREAM) {
      EXPECT_TRUE(gst_harness_push_upstream_event(harness.get(), event));
    } else {
      harness.push_event(event);
    }
    const auto regions = test::regions(harness.pass(picture()));
    ASSERT_THAT(regions, SizeIs(1)) << gst_event_type_get_name(type);
    EXPECT_EQ(regions[0].label, "ball");
    const auto found = answers(harness);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].source, "event");
    EXPECT_EQ(found[0].request, -7);
  }
}

TEST_F(ControlTest, AnEventForTheElementItself) {
  for (const GstEventType type : {GST_EVENT_CUSTOM_UPSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM}) {
    EXPECT_TRUE(gst_element_send_event(
        harness_.element(), control_event(type, "command=add, x=100, y=80, width=48, height=40")));
  }
  EXPECT_THAT(track(), SizeIs(2));
}

TEST_F(ControlTest, EventsMoveRemoveAndClear) {
  const auto send = [&](const char* fields) {
    return gst_harness_push_upstream_event(harness_.get(),
                                           control_event(GST_EVENT_CUSTOM_UPSTREAM, fields));
  };
  add_target(harness_, {10, 10, 48, 40}, "ball");
  track();
  EXPECT_TRUE(
      send("command=move, id=(double)1, units=fraction, x=0.3125, y=0.333333343, "
           "width=0.15, height=0.166666672"));
  expect_target_from_next_buffer(1, "ball");
  EXPECT_TRUE(send("command=remove, id=(guint64)1"));
  EXPECT_THAT(track(), IsEmpty());
  add_target(harness_, kTarget, "ball");
  EXPECT_TRUE(send("command=clear"));
  EXPECT_THAT(track(), IsEmpty());
}

TEST_F(ControlTest, AnEventStopsLearning) {
  harness_.push_event(
      control_event(GST_EVENT_CUSTOM_DOWNSTREAM, "command=learning, learning=false"));
  gboolean learning = TRUE;
  g_object_get(harness_.object(), "learning", &learning, nullptr);
  EXPECT_FALSE(learning);
}

TEST_F(ControlTest, BadEventsAreAnsweredAndChangeNothing) {
  const std::pair<const char*, const char*> kBad[] = {
      {"command=paint", "allowed: add, move"},
      {"x=1", "allowed: add, move"},
      {"command=(int)3", "is not a string"},
      {"command=add, x=1, y=2, width=30", "height is missing"},
      {"command=add, x=(string)one, y=2, width=30, height=40", "x \"one\" is not a number"},
      {"command=add, x=(boolean)true, y=2, width=30, height=40", "is not a number"},
      {"command=add, x=1, y=2, width=3, height=40", "at least 8 pixels"},
      {"command=add, x=1, y=2, width=30, height=40, units=miles", "allowed: pixels, fraction"},
      {"command=add, x=1, y=2, width=30, height=40, request=(string)a", "request"},
      {"command=remove, id=0", "not a positive integer"},
      {"command=remove, id=1.5", "not a positive integer"},
      {"command=remove, id=-1", "not a positive integer"},
      {"command=remove, id=7", "no target with the id 7"},
      {"command=learning", "learning is missing"},
  };
  for (const auto& [fields, why] : kBad) {
    EXPECT_FALSE(gst_harness_push_upstream_event(harness_.get(),
                                                 control_event(GST_EVENT_CUSTOM_UPSTREAM, fields)))
        << fields;
    const auto found = answers(harness_);
    ASSERT_THAT(found, SizeIs(1)) << fields;
    EXPECT_EQ(found[0].action, "refused");
    EXPECT_THAT(found[0].reason, HasSubstr(why));
    // Downstream they are no failure of the stream.
    EXPECT_TRUE(
        gst_harness_push_event(harness_.get(), control_event(GST_EVENT_CUSTOM_DOWNSTREAM, fields)));
    EXPECT_THAT(answers(harness_), SizeIs(1)) << fields;
  }
  EXPECT_THAT(track(), IsEmpty());
}

TEST_F(ControlTest, WhatIsForOthersIsPassedOn) {
  gst_element_set_name(harness_.element(), "mine");
  constexpr const char* kAdd = "command=add, x=100, y=80, width=48, height=40";
  const std::string other = std::string(kAdd) + ", element=(string)yours";
  harness_.push_event(control_event(GST_EVENT_CUSTOM_DOWNSTREAM, other.c_str()));
  gst_harness_push_upstream_event(harness_.get(),
                                  control_event(GST_EVENT_CUSTOM_UPSTREAM, other.c_str()));
  EXPECT_THAT(track(), IsEmpty());
  EXPECT_EQ(test::control_events_downstream(harness_), 1);
  EXPECT_EQ(test::control_events_upstream(harness_), 1);
  const std::string own = std::string(kAdd) + ", element=(string)mine";
  harness_.push_event(control_event(GST_EVENT_CUSTOM_DOWNSTREAM, own.c_str()));
  EXPECT_THAT(track(), SizeIs(1));
  EXPECT_EQ(test::control_events_downstream(harness_), 0) << "what is done is not passed on";
}

// --- properties

TEST_F(ControlTest, TargetsAsJson) {
  harness_.set("targets-json", R"([{"x":100,"y":80,"width":48,"height":40,"label":"ball"}])");
  expect_target_from_next_buffer(1, "ball");
  gchar* text = nullptr;
  g_object_get(harness_.object(), "targets-json", &text, nullptr);
  EXPECT_STREQ(text, R"([{"height":40.0,"label":"ball","width":48.0,"x":100.0,"y":80.0}])");
  g_free(text);
  harness_.set("targets-json", "nonsense");
  EXPECT_THAT(harness_.texts(GST_MESSAGE_WARNING), ElementsAre(HasSubstr("targets-json: ")));
  expect_target_from_next_buffer(1, "ball");
}

TEST_F(ControlTest, MessagesAreOfTheKindThatWasChosen) {
  harness_.set("messages", "every-frame");
  add_target(harness_, kTarget, "ball");
  for (int i = 0; i < 3; ++i) track();
  EXPECT_THAT(harness_.states(), SizeIs(3));
  harness_.set("messages", "none");
  add_target(harness_, kTarget, "ball");
  for (int i = 0; i < 3; ++i) track();
  EXPECT_THAT(test::actions(harness_), ElementsAre("added")) << "answers always come";
}

TEST_F(ControlTest, FoundAgainIsSaid) {
  add_target(harness_, kTarget, "ball");
  track();
  for (int i = 0; i < 10; ++i) harness_.pass(test::draw_scene(320, 240));
  for (int i = 0; i < 20; ++i) track();
  bool lost = false, recovered = false;
  for (const auto& state : harness_.states()) {
    gboolean value = TRUE;
    ASSERT_TRUE(gst_structure_get_boolean(state.get(), "recovered", &value));
    EXPECT_FALSE(value && !lost);
    recovered = recovered || value;
    const bool is_lost = test::state_of(state) == "lost";
    EXPECT_THAT(gst_structure_get_string(state.get(), "reason"),
                is_lost ? testing::StrNe("") : testing::StrEq(""));
    lost = lost || is_lost;
  }
  EXPECT_TRUE(lost);
  EXPECT_TRUE(recovered);
}

// --- threads

TEST_F(ControlTest, AnyThreadMayAskWhileBuffersFlow) {
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
  for (int i = 0; i < 20; ++i) EXPECT_NE(harness_.pass(picture()), nullptr);
  done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(added, 0);
  EXPECT_EQ(added, removed);
  EXPECT_THAT(track(), IsEmpty());
  const auto id = add_target(harness_, kTarget, "last");
  EXPECT_EQ(id, static_cast<std::uint64_t>(added) + 1);
  expect_target_from_next_buffer(id, "last");
}

}  // namespace
}  // namespace cltrack
