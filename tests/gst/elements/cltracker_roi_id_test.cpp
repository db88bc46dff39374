// SPDX-License-Identifier: LGPL-2.1-or-later
// The property roi-id, in builds with and without analytics metadata.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/tracker_harness.h"
#include "metadata/analytics_meta.h"

namespace cltrack {
namespace {

using test::TrackerHarness;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ClTrackerRoiId, IsTheTracksUnlessSaidOtherwise) {
  for (const char* factory : {"cltracker", "clcolortracker"}) {
    TrackerHarness harness({}, factory);
    gint value = -1;
    g_object_get(harness.object(), "roi-id", &value, nullptr);
    EXPECT_EQ(value, 0) << factory;
    harness.set("roi-id", "detection");
    g_object_get(harness.object(), "roi-id", &value, nullptr);
    EXPECT_EQ(value, 1) << factory;
  }
}

TEST(ClTrackerRoiId, WhatIsMissingIsSaidOnce) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}, {"roi-id", "detection"}};
  harness.set_caps(320, 240);
  for (int i = 0; i < 3; ++i) {
    const auto regions = test::regions(harness.pass(test::draw_scene(320, 240, {100, 80, 48, 40})));
    ASSERT_THAT(regions, SizeIs(1));
    EXPECT_EQ(regions[0].id, 1);
  }
  const auto warnings = harness.texts(GST_MESSAGE_WARNING);
  if (gst::has_analytics()) {
    EXPECT_THAT(warnings, IsEmpty());
  } else {
    EXPECT_THAT(warnings, ElementsAre(AllOf(HasSubstr("roi-id=detection"),
                                            HasSubstr("gstreamer-analytics-1.0"))));
  }
}

}  // namespace
}  // namespace cltrack
