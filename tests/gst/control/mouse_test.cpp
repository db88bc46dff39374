// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/navigation_input.h"

#include <gtest/gtest.h>

namespace cltrack {
namespace {

using gst::Mouse;
using gst::MouseAction;
using gst::MouseButton;
using Kind = gst::MouseAction::Kind;

constexpr auto kLeft = MouseButton::left;
constexpr auto kRight = MouseButton::right;

// Pressed at 10, 20 and moved to 50, 60.
class DragTest : public ::testing::Test {
 protected:
  DragTest() {
    EXPECT_EQ(mouse_.press(kLeft, {10, 20}).kind, Kind::taken);
    EXPECT_EQ(mouse_.move({50, 60}, {}).kind, Kind::taken);
  }
  Mouse mouse_;
};

TEST_F(DragTest, GivesABox) {
  EXPECT_EQ(mouse_.band(), (BoundingBox{10, 20, 40, 40}));
  const MouseAction action = mouse_.release(kLeft, {52, 63});
  EXPECT_EQ(action.kind, Kind::add);
  EXPECT_EQ(action.box, (BoundingBox{10, 20, 42, 43}));
  EXPECT_FALSE(mouse_.band());
  EXPECT_EQ(mouse_.move({70, 70}, {}).kind, Kind::pass);
  EXPECT_EQ(mouse_.release(kLeft, {70, 70}).kind, Kind::pass);
}

TEST_F(DragTest, GoesInAnyDirection) {
  mouse_.move({-5, 12.5}, {});
  EXPECT_EQ(mouse_.band(), (BoundingBox{-5, 12.5f, 15, 7.5f}));
  EXPECT_EQ(mouse_.release(kLeft, {-5, 12.5}).box, (BoundingBox{-5, 12.5f, 15, 7.5f}));
}

TEST_F(DragTest, OfOneDirectionIsABoxThatTheTrackerRefuses) {
  mouse_.move({50, 21}, {});
  EXPECT_EQ(mouse_.release(kLeft, {50, 21}).kind, Kind::add);
}

TEST_F(DragTest, IsCancelled) {
  EXPECT_EQ(mouse_.cancel().kind, Kind::taken);
  EXPECT_FALSE(mouse_.band());
  EXPECT_EQ(mouse_.cancel().kind, Kind::pass);
  EXPECT_EQ(mouse_.move({55, 65}, {}).kind, Kind::pass);
  EXPECT_EQ(mouse_.release(kLeft, {55, 65}).kind, Kind::taken) << "its press was taken";
  EXPECT_EQ(mouse_.release(kLeft, {55, 65}).kind, Kind::pass);
}

TEST_F(DragTest, AnotherPressBeginsAnother) {
  EXPECT_EQ(mouse_.press(kLeft, {100, 100}).kind, Kind::taken);
  EXPECT_FALSE(mouse_.band());
  EXPECT_EQ(mouse_.release(kLeft, {120, 130}).box, (BoundingBox{100, 100, 20, 30}));
}

TEST_F(DragTest, TheRightButtonIsForOthers) {
  EXPECT_EQ(mouse_.press(kRight, {15, 25}).kind, Kind::pass);
  EXPECT_EQ(mouse_.release(kRight, {15, 25}).kind, Kind::pass);
  EXPECT_EQ(mouse_.release(kLeft, {52, 63}).kind, Kind::add);
}

// --- whether the button is down

TEST_F(DragTest, ThatASenderNeverSaysItTellsNothing) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(mouse_.move({60, 70}, false).kind, Kind::taken);
  EXPECT_EQ(mouse_.release(kLeft, {60, 70}).kind, Kind::add);
}

TEST_F(DragTest, ALostReleaseIsFoundOut) {
  mouse_.move({60, 70}, true);
  EXPECT_EQ(mouse_.move({200, 200}, false).kind, Kind::taken) << "the release may come yet";
  EXPECT_FALSE(mouse_.band());
  EXPECT_EQ(mouse_.move({201, 200}, false).kind, Kind::pass);
  EXPECT_EQ(mouse_.release(kLeft, {201, 200}).kind, Kind::pass);
  // What senders are like is known from then on.
  mouse_.press(kLeft, {10, 20});
  mouse_.move({200, 200}, false);
  EXPECT_EQ(mouse_.move({201, 200}, false).kind, Kind::pass);
}

TEST_F(DragTest, AMoveMayOvertakeTheRelease) {
  mouse_.move({60, 70}, true);
  mouse_.move({200, 200}, false);
  const MouseAction action = mouse_.release(kLeft, {61, 71});
  EXPECT_EQ(action.kind, Kind::add);
  EXPECT_EQ(action.box, (BoundingBox{10, 20, 51, 51}));
}

TEST_F(DragTest, AMoveMayOvertakeThePress) {
  mouse_.release(kLeft, {50, 60});
  mouse_.move({60, 60}, true);
  mouse_.press(kLeft, {10, 20});
  mouse_.move({60, 60}, false);  // of one sender that says it, and one that does not
  mouse_.move({70, 70}, true);
  EXPECT_EQ(mouse_.band(), (BoundingBox{10, 20, 60, 50}));
}

TEST_F(DragTest, ACancelledOneEndsWithALostRelease) {
  mouse_.move({60, 70}, true);
  mouse_.cancel();
  EXPECT_EQ(mouse_.move({61, 70}, false).kind, Kind::pass);
  EXPECT_EQ(mouse_.release(kLeft, {61, 70}).kind, Kind::pass);
}

// --- clicks

TEST(Mouse, AClickChooses) {
  Mouse mouse;
  mouse.press(kLeft, {10, 20});
  mouse.move({17.5, 12.5}, {});
  EXPECT_FALSE(mouse.band()) << "a hand that trembles drags no box";
  const MouseAction action = mouse.release(kLeft, {17.5, 12.5});
  EXPECT_EQ(action.kind, Kind::choose);
  EXPECT_EQ(action.point.x, 10);
  EXPECT_EQ(action.point.y, 20);
}

TEST(Mouse, TheSmallestTargetIsNoClick) {
  Mouse mouse;
  mouse.press(kLeft, {10, 20});
  EXPECT_EQ(mouse.release(kLeft, {18, 28}).kind, Kind::add);
}

TEST(Mouse, TheRightButtonRemoves) {
  Mouse mouse;
  const MouseAction action = mouse.press(kRight, {10, 20});
  EXPECT_EQ(action.kind, Kind::remove);
  EXPECT_EQ(action.point.y, 20);
  EXPECT_EQ(mouse.release(kRight, {10, 20}).kind, Kind::pass);
}

TEST(Mouse, WithoutAPressThereIsNothing) {
  Mouse mouse;
  EXPECT_EQ(mouse.move({10, 20}, true).kind, Kind::pass);
  EXPECT_EQ(mouse.release(kLeft, {10, 20}).kind, Kind::pass);
  EXPECT_EQ(mouse.cancel().kind, Kind::pass);
  EXPECT_FALSE(mouse.band());
}

}  // namespace
}  // namespace cltrack
