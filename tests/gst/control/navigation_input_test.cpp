// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/navigation_input.h"

#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <limits>

#include "../support/gst_ptr.h"
#include "../support/navigation.h"

namespace cltrack {
namespace {

using test::EventPtr;
using test::key_press;
using test::mouse_move;
using test::mouse_press;
using test::mouse_release;
using test::touch;
using Kind = gst::MouseAction::Kind;

class NavigationInputTest : public ::testing::Test {
 protected:
  gst::MouseAction see(GstEvent* event) { return input_.read(EventPtr(event).get()); }
  gst::NavigationInput input_;
};

TEST_F(NavigationInputTest, TheLeftButtonDrags) {
  EXPECT_EQ(see(mouse_press(1, 10, 20, false)).kind, Kind::taken);
  EXPECT_EQ(see(mouse_move(50, 60, true)).kind, Kind::taken);
  EXPECT_EQ(input_.band(), (BoundingBox{10, 20, 40, 40}));
  const auto action = see(mouse_release(1, 50, 60, true));
  EXPECT_EQ(action.kind, Kind::add);
  EXPECT_EQ(action.box, (BoundingBox{10, 20, 40, 40}));
}

#if GST_CHECK_VERSION(1, 22, 0)
TEST_F(NavigationInputTest, EventsAsGStreamerMakesThem) {
  constexpr auto kNone = GST_NAVIGATION_MODIFIER_NONE;
  constexpr auto kHeld = GST_NAVIGATION_MODIFIER_BUTTON1_MASK;
  see(gst_navigation_event_new_mouse_button_press(1, 10, 20, kNone));
  see(gst_navigation_event_new_mouse_move(50, 60, kHeld));
  EXPECT_EQ(input_.band(), (BoundingBox{10, 20, 40, 40}));
  see(gst_navigation_event_new_mouse_move(55, 60, kNone));
  EXPECT_EQ(see(gst_navigation_event_new_mouse_move(56, 60, kNone)).kind, Kind::pass);
  EXPECT_EQ(see(gst_navigation_event_new_mouse_button_press(3, 10, 20, kNone)).kind, Kind::remove);
  see(gst_navigation_event_new_touch_down(1, 10, 20, 1, kNone));
  EXPECT_EQ(see(gst_navigation_event_new_touch_motion(1, 50, 60, 1, kNone)).kind, Kind::taken);
  EXPECT_EQ(see(gst_navigation_event_new_touch_frame(kNone)).kind, Kind::pass);
  EXPECT_EQ(see(gst_navigation_event_new_key_press("Escape", kNone)).kind, Kind::taken);
  EXPECT_EQ(see(gst_navigation_event_new_touch_up(1, 50, 60, kNone)).kind, Kind::taken);
}
#endif

TEST_F(NavigationInputTest, EscapeCancels) {
  see(mouse_press(1, 10, 20));
  EXPECT_EQ(see(key_press("a")).kind, Kind::pass);
  EXPECT_EQ(see(key_press("Escape")).kind, Kind::taken);
  EXPECT_EQ(see(key_press("Escape")).kind, Kind::pass);
  EXPECT_EQ(see(mouse_release(1, 50, 60)).kind, Kind::taken);
}

TEST_F(NavigationInputTest, AFingerDrags) {
  EXPECT_EQ(see(touch("down", 7, 10, 20)).kind, Kind::taken);
  EXPECT_EQ(see(touch("motion", 7, 50, 60)).kind, Kind::taken);
  // As some systems send for the finger, too.
  see(mouse_move(50, 60, true));
  see(mouse_move(50, 60, false));
  see(mouse_move(50, 60, false));
  EXPECT_EQ(input_.band(), (BoundingBox{10, 20, 40, 40}));
  EXPECT_EQ(see(touch("up", 7, 50, 60)).kind, Kind::add);
}

TEST_F(NavigationInputTest, TwoFingersAreForOthers) {
  see(touch("down", 7, 10, 20));
  see(touch("motion", 7, 50, 60));
  EXPECT_EQ(see(touch("down", 8, 100, 100)).kind, Kind::pass);
  EXPECT_FALSE(input_.band());
  EXPECT_EQ(see(touch("motion", 8, 120, 100)).kind, Kind::pass);
  EXPECT_EQ(see(touch("up", 7, 50, 60)).kind, Kind::pass);
  EXPECT_EQ(see(touch("up", 8, 120, 100)).kind, Kind::pass);
  EXPECT_EQ(see(touch("down", 9, 10, 20)).kind, Kind::taken) << "the next one drags again";
}

TEST_F(NavigationInputTest, ATouchIsCancelled) {
  see(touch("down", 7, 10, 20));
  see(touch("motion", 7, 50, 60));
  EXPECT_EQ(see(test::touch_cancel()).kind, Kind::pass);
  EXPECT_FALSE(input_.band());
  see(mouse_press(1, 10, 20));
  see(test::touch_cancel());
  EXPECT_EQ(see(mouse_release(1, 50, 60)).kind, Kind::add) << "the mouse is not a finger";
}

TEST_F(NavigationInputTest, AMouseEndsTheTouch) {
  see(touch("down", 7, 10, 20));
  see(mouse_press(1, 100, 100));
  EXPECT_EQ(see(touch("motion", 7, 50, 60)).kind, Kind::pass);
  EXPECT_EQ(see(mouse_release(1, 130, 140)).box, (BoundingBox{100, 100, 30, 40}));
}

TEST_F(NavigationInputTest, ResetEndsADrag) {
  see(mouse_press(1, 10, 20));
  see(mouse_move(50, 60));
  input_.reset();
  EXPECT_FALSE(input_.band());
  EXPECT_EQ(see(mouse_release(1, 50, 60)).kind, Kind::pass);
}

TEST_F(NavigationInputTest, OtherAndStrangeEventsAreForOthers) {
  const auto navigation = [](const std::string& fields) {
    return gst_event_new_navigation(
        gst_structure_from_string(("application/x-gst-navigation" + fields).c_str(), nullptr));
  };
  EXPECT_EQ(see(gst_event_new_reconfigure()).kind, Kind::pass);
  EXPECT_EQ(see(gst_event_new_flush_start()).kind, Kind::pass);
  EXPECT_EQ(see(mouse_press(2, 10, 20)).kind, Kind::pass);
  EXPECT_EQ(see(mouse_press(1, std::numeric_limits<double>::quiet_NaN(), 20)).kind, Kind::pass);
  EXPECT_EQ(see(mouse_press(1, 10, std::numeric_limits<double>::infinity())).kind, Kind::pass);
  for (const char* fields :
       {"", ", event=(int)3", ", event=mouse-scroll, pointer_x=(double)1, pointer_y=(double)2",
        ", event=mouse-button-press", ", event=mouse-button-press, button=1, pointer_x=(double)1",
        ", event=mouse-button-press, button=one, pointer_x=(double)1, pointer_y=(double)2",
        ", event=touch-down, pointer_x=(double)1, pointer_y=(double)2",
        ", event=key-press, key=(int)9"}) {
    EXPECT_EQ(see(navigation(fields)).kind, Kind::pass) << fields;
  }
}

}  // namespace
}  // namespace cltrack
