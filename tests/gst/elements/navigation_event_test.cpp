// SPDX-License-Identifier: LGPL-2.1-or-later
// What the mouse does to the targets of an element: the property "navigation".
#include "../support/matchers.h"
#include "../support/navigation.h"

#include <atomic>
#include <thread>

#include "../support/tracker_harness.h"

namespace cltrack::test {
namespace {

class NavigationTest : public ::testing::Test {
 protected:
  std::vector<gst::TrackRegion> track() {
    return regions(harness_.pass(draw_scene(320, 240, kTarget)));
  }
  bool send(GstEvent* event) { return gst_harness_push_upstream_event(harness_.get(), event); }

  GreyTracker harness_{{"navigation", "true"}, {"label", "ball"}};
};

TEST_F(NavigationTest, ADragAddsATarget) {
  track();
  EXPECT_TRUE(drag(harness_.get(), 148, 120, 100, 80));
  EXPECT_THAT(answers(harness_), IsEmpty()) << "it acts on the next buffer";
  const auto regions = track();
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].label, "ball");
  EXPECT_GT(overlap(regions[0].box, kTarget), 0.9f);
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "added");
  EXPECT_EQ(found[0].id, 1u);
  EXPECT_EQ(found[0].source, "navigation");
  EXPECT_EQ(found[0].timestamp, GST_SECOND / 25);
  EXPECT_EQ(navigation_events_upstream(harness_.get()), 0);
}

TEST_F(NavigationTest, AFingerDoesTheSame) {
  track();
  EXPECT_TRUE(send(touch("down", 4, 100, 80)));
  EXPECT_TRUE(send(touch("motion", 4, 120, 100)));
  EXPECT_TRUE(send(touch("up", 4, 148, 120)));
  EXPECT_THAT(track(), SizeIs(1));
}

TEST_F(NavigationTest, AnEventForTheElementItself) {
  gst_element_send_event(harness_.element(), mouse_press(1, 100, 80));
  EXPECT_TRUE(gst_element_send_event(harness_.element(), mouse_release(1, 148, 120)));
  EXPECT_THAT(track(), SizeIs(1));
}

TEST_F(NavigationTest, AClickChooses) {
  harness_.set("targets", "<<60,40,200,160,large>, <100,80,48,40,small>>");
  track();
  actions(harness_);
  EXPECT_TRUE(click(harness_.get(), 1, 120, 100));
  auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1)) << "told at once";
  EXPECT_EQ(found[0].action, "chosen");
  EXPECT_EQ(found[0].id, 2u);
  EXPECT_EQ(found[0].label, "small");
  EXPECT_EQ(found[0].source, "navigation");
  click(harness_.get(), 1, 70, 50);
  EXPECT_EQ(answers(harness_).at(0).label, "large");
  click(harness_.get(), 1, 5, 5);
  EXPECT_THAT(answers(harness_), IsEmpty());
  EXPECT_THAT(track(), SizeIs(2));
}

TEST_F(NavigationTest, TheRightButtonRemoves) {
  harness_.set("targets", "<<60,40,200,160,large>, <100,80,48,40,small>>");
  track();
  actions(harness_);
  EXPECT_TRUE(send(mouse_press(3, 120, 100)));
  send(mouse_release(3, 120, 100));
  ASSERT_THAT(track(), SizeIs(1));
  auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "removed");
  EXPECT_EQ(found[0].label, "small");
  EXPECT_EQ(found[0].source, "navigation");
  // What is under it is next, without a picture in between. Then there is nothing left.
  send(mouse_press(3, 120, 100));
  navigation_events_upstream(harness_.get());
  send(mouse_press(3, 120, 100));
  EXPECT_EQ(navigation_events_upstream(harness_.get()), 1);
  EXPECT_THAT(track(), IsEmpty());
  EXPECT_THAT(actions(harness_), ElementsAre("removed"));
}

TEST_F(NavigationTest, TooSmallABoxIsRefused) {
  EXPECT_TRUE(drag(harness_.get(), 100, 80, 150, 83));
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "refused");
  EXPECT_EQ(found[0].source, "navigation");
  EXPECT_THAT(found[0].reason, HasSubstr("at least 8x8 pixels"));
  EXPECT_THAT(track(), IsEmpty());
}

TEST_F(NavigationTest, ABoxThatReachesOutIsClipped) {
  drag(harness_.get(), 280, 200, 400, 300);
  const auto regions = track();
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_LE(regions[0].box.right(), 320);
}

TEST_F(NavigationTest, EscapeCancels) {
  send(mouse_press(1, 100, 80));
  send(mouse_move(140, 110));
  EXPECT_TRUE(send(key_press("Escape")));
  EXPECT_TRUE(send(mouse_release(1, 148, 120)));
  EXPECT_THAT(track(), IsEmpty());
  EXPECT_THAT(actions(harness_), IsEmpty());
  EXPECT_EQ(navigation_events_upstream(harness_.get()), 0);
}

TEST_F(NavigationTest, ALostReleaseEndsTheDrag) {
  send(mouse_press(1, 100, 80, false));
  send(mouse_move(140, 110, true));
  send(mouse_move(150, 110, false));
  send(mouse_move(160, 110, false));
  send(mouse_release(1, 200, 150, true));  // of something that began elsewhere
  EXPECT_THAT(track(), IsEmpty());
}

TEST_F(NavigationTest, WhatDoesNotActIsPassedOn) {
  send(mouse_move(5, 5));
  send(mouse_press(2, 5, 5));
  send(mouse_release(2, 5, 5));
  send(mouse_press(3, 5, 5));
  send(mouse_release(3, 5, 5));
  send(key_press("Escape"));
  send(key_press("Left"));
  EXPECT_EQ(navigation_events_upstream(harness_.get()), 7);
}

TEST_F(NavigationTest, OffItDoesNothing) {
  GreyTracker harness;
  drag(harness.get(), 100, 80, 148, 120);
  EXPECT_THAT(regions(harness.pass(draw_scene(320, 240, kTarget))), IsEmpty());
  EXPECT_EQ(navigation_events_upstream(harness.get()), 3);
}

TEST_F(NavigationTest, SwitchedOffItForgetsTheDrag) {
  send(mouse_press(1, 100, 80));
  harness_.set("navigation", "false");
  send(mouse_move(120, 100));
  harness_.set("navigation", "true");
  send(mouse_release(1, 148, 120));
  EXPECT_THAT(track(), IsEmpty());
}

TEST_F(NavigationTest, TheStopForgetsTheDragAndTheTracks) {
  harness_.set("targets", kTargets);
  track();
  send(mouse_press(1, 100, 80));
  harness_.set_state(GST_STATE_READY);
  harness_.set_state(GST_STATE_PLAYING);
  actions(harness_);
  send(mouse_release(1, 148, 120));
  click(harness_.get(), 1, 120, 100);
  EXPECT_THAT(answers(harness_), IsEmpty());
}

TEST_F(NavigationTest, AnotherStreamForgetsTheTracks) {
  harness_.set("targets", kTargets);
  track();
  harness_.set("targets", "<>");
  harness_.push_event(gst_event_new_stream_start("another"));
  harness_.set_caps(320, 240);
  track();
  actions(harness_);
  click(harness_.get(), 1, 120, 100);
  EXPECT_THAT(answers(harness_), IsEmpty());
}

TEST_F(NavigationTest, WhileBuffersFlow) {
  GreyTracker harness{{"navigation", "true"}, {"max-targets", "3"}};
  const Image picture = draw_scene(320, 240, kTarget);
  std::atomic<bool> done = false;
  std::thread hand([&] {
    while (!done) {
      drag(harness.get(), 100, 80, 148, 120);
      click(harness.get(), 1, 120, 100);
      click(harness.get(), 3, 120, 100);
    }
  });
  for (int i = 0; i < 20; ++i) EXPECT_NE(harness.pass(picture), nullptr);
  done = true;
  hand.join();
  drag(harness.get(), 100, 80, 148, 120);
  EXPECT_THAT(regions(harness.pass(picture)), Not(IsEmpty()));
  for (int i = 0; i < 3; ++i) {
    gst_harness_push_upstream_event(harness.get(), mouse_press(3, 120, 100));
  }
  EXPECT_THAT(regions(harness.pass(picture)), IsEmpty());
}

TEST(ColorNavigation, ADragLearnsTheColour) {
  TrackerHarness harness({{"navigation", "true"}}, "clcolortracker");
  harness.set_caps(320, 240, GST_VIDEO_FORMAT_RGB);
  const auto picture = draw_scene(320, 240, kTarget);
  harness.pass(picture, GST_VIDEO_FORMAT_RGB);
  EXPECT_TRUE(drag(harness.get(), 100, 80, 148, 120));
  harness.pass(picture, GST_VIDEO_FORMAT_RGB);
  EXPECT_THAT(actions(harness), ElementsAre("added"));
}

}  // namespace
}  // namespace cltrack::test
