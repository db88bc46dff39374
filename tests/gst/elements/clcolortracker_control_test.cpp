// SPDX-License-Identifier: LGPL-2.1-or-later
// Which colours to track, said while buffers flow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/color_scene.h"
#include "../support/control.h"
#include "../support/tracker_harness.h"

namespace cltrack {
namespace {

using test::answers;
using test::color_picture;
using test::kRedPatch;
using test::regions;
using test::StructurePtr;
using test::TrackerHarness;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kRed = "hsv, hue-min=340, hue-max=20, saturation-min=0.6, label=red";
constexpr test::ColorPatch kBlue = {100, 60, 30, 30, {20, 30, 200}};

class ColorControlTest : public ::testing::Test {
 protected:
  ColorControlTest() : harness_({}, "clcolortracker") {
    harness_.set_caps(test::kColorWidth, test::kColorHeight, GST_VIDEO_FORMAT_RGB);
  }

  std::uint64_t add_color(const char* text) {
    const StructurePtr structure(gst_structure_from_string(text, nullptr));
    guint64 id = 0;
    g_signal_emit_by_name(harness_.object(), "add-color", structure.get(), &id);
    return id;
  }
  std::vector<gst::TrackRegion> track() {
    return regions(harness_.pass(color_picture({kRedPatch, kBlue})));
  }

  TrackerHarness harness_;
};

TEST_F(ColorControlTest, AddsAndRemovesColours) {
  EXPECT_THAT(track(), IsEmpty());
  EXPECT_EQ(add_color(kRed), 1u);
  EXPECT_EQ(add_color("rgb, red=20, green=30, blue=200, label=blue"), 2u);
  const auto found = track();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].label, "red");
  EXPECT_EQ(found[1].label, "blue");
  EXPECT_TRUE(test::remove_target(harness_, 1));
  ASSERT_THAT(track(), SizeIs(1));
  test::clear_targets(harness_);
  EXPECT_THAT(track(), IsEmpty());
  EXPECT_THAT(test::actions(harness_), ElementsAre("added", "added", "removed", "removed"));
}

TEST_F(ColorControlTest, LearnsTheColourInABox) {
  EXPECT_EQ(test::add_target(harness_, {100, 60, 30, 30}, "blue"), 1u);
  EXPECT_EQ(add_color("box, x=40, y=24, width=32, height=40"), 2u);
  const auto found = track();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].label, "blue");
  EXPECT_EQ(found[1].label, "object");
}

TEST_F(ColorControlTest, EventsAddAndRemove) {
  harness_.push_event(test::control_event(GST_EVENT_CUSTOM_DOWNSTREAM,
                                          "command=add, x=40, y=24, width=32, height=40"));
  EXPECT_THAT(track(), SizeIs(1));
  harness_.push_event(test::control_event(GST_EVENT_CUSTOM_DOWNSTREAM, "command=remove, id=1"));
  EXPECT_THAT(track(), IsEmpty());
}

TEST_F(ColorControlTest, WhatIsNoColourIsRefused) {
  EXPECT_EQ(add_color("cmyk, cyan=1"), 0u);
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "refused");
  EXPECT_THAT(found[0].reason, HasSubstr("is called cmyk"));
  EXPECT_FALSE(gst_element_send_event(
      harness_.element(),
      test::control_event(GST_EVENT_CUSTOM_UPSTREAM, "command=learning, learning=false")));
  EXPECT_THAT(harness_.texts(GST_MESSAGE_WARNING), ElementsAre(HasSubstr("does not learn")));
}

TEST_F(ColorControlTest, NoMoreThanThereIsRoomFor) {
  track();
  for (int i = 1; i <= 255; ++i) EXPECT_EQ(add_color(kRed), static_cast<std::uint64_t>(i));
  EXPECT_EQ(add_color(kRed), 0u);
  EXPECT_THAT(harness_.texts(GST_MESSAGE_WARNING), ElementsAre(HasSubstr("255 are allowed")));
  track();
  EXPECT_THAT(harness_.texts(GST_MESSAGE_WARNING), IsEmpty());
}

}  // namespace
}  // namespace cltrack
