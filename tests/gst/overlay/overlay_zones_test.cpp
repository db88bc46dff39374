// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_zones.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../support/overlay_harness.h"
#include "overlay/overlay_scene.h"

namespace cltrack::gst {
namespace {

using test::BufferPtr;
using test::OverlayHarness;
using testing::ElementsAre;
using testing::IsEmpty;

// A line across the picture at half its height, an area at its left.
ZoneNews news() {
  ZoneNews news{
      "counter", 200, 100,
      zones_json(parse_zones("door: line 0.25,0.5 0.75,0.5; till: area pixels 20,10 40,10 40,90"))};
  news.totals = {{.name = "door", .forward = 3, .backward = 2}, {.name = "till"}};
  news.inside = {0, 4};
  return news;
}

TEST(OverlayZones, AreOfThePictureOnWhichTheyAreDrawn) {
  const std::vector<ZoneMark> marks = ZoneMarks().of(std::vector{news()}, 400, 100);
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_THAT(marks[0].outline, ElementsAre(TrackPoint{99.5f, 49.5f}, TrackPoint{299.5f, 49.5f}));
  EXPECT_TRUE(marks[0].has_arrow);
  EXPECT_EQ(marks[0].text, "door +3 -2");
  EXPECT_THAT(marks[1].outline, ElementsAre(TrackPoint{39.5f, 9.5f}, TrackPoint{79.5f, 9.5f},
                                            TrackPoint{79.5f, 89.5f}, TrackPoint{39.5f, 9.5f}));
  EXPECT_FALSE(marks[1].has_arrow);
  EXPECT_EQ(marks[1].text, "till 4");
}

TEST(OverlayZones, WhatIsDamagedIsNotDrawn) {
  ZoneNews damaged = news();
  damaged.zones = "no zones";
  EXPECT_THAT(ZoneMarks().of(std::vector{damaged}, 400, 100), IsEmpty());
  ZoneNews without_size = news();
  without_size.width = 0;
  EXPECT_THAT(ZoneMarks().of(std::vector{without_size}, 400, 100), IsEmpty());
  ZoneNews without_counts = news();
  without_counts.totals.clear();
  EXPECT_EQ(ZoneMarks().of(std::vector{without_counts}, 400, 100).at(0).text, "door");
}

TEST(OverlayZones, TheArrowPointsForward) {
  const std::vector<TrackPoint> line = {{100, 50}, {200, 50}, {300, 50}};
  const std::vector<TrailStroke> arrow = zone_arrow(line, 2);
  ASSERT_EQ(arrow.size(), 2U);
  // Down, over a line from left to right.
  EXPECT_THAT(arrow[0].points, ElementsAre(TrackPoint{200, 50}, TrackPoint{200, 86}));
  EXPECT_EQ(arrow[1].points.at(1), arrow[0].points.at(1));
  const std::vector<TrackPoint> back(line.rbegin(), line.rend());
  EXPECT_EQ(zone_arrow(back, 2)[0].points.at(1), (TrackPoint{200, 14}));
}

TEST(OverlayZones, ArePaintedOnce) {
  OverlayScene scene;
  const std::vector<ZoneMark> marks = ZoneMarks().of(std::vector{news()}, 400, 200);
  const OverlayStyle style;
  const auto first = scene.build({}, 400, 200, style, {}, marks);
  const std::size_t painted = scene.painted();
  EXPECT_GT(painted, 3U);
  EXPECT_EQ(scene.build({}, 400, 200, style, {}, marks).size(), first.size());
  EXPECT_EQ(scene.painted(), painted);
  for (const OverlayPatch& patch : first) {
    EXPECT_EQ(intersection(patch.place, {0, 0, 400, 200}), patch.place);
  }
}

class DrawnZones : public testing::Test {
 protected:
  static bool draws(const std::string& properties, GstBufferFlags flags = {}) {
    OverlayHarness harness(properties, GST_VIDEO_FORMAT_GRAY8);
    BufferPtr with = harness.picture();
    write_zones(with.get(), news());
    GST_BUFFER_FLAG_SET(with.get(), flags);
    const auto before = test::bytes_of(with.get());
    const BufferPtr result = harness.pass(std::move(with));
    return result && test::bytes_of(result.get()) != before;
  }
};

TEST_F(DrawnZones, AreThereUnlessTheyAreNotWanted) {
  EXPECT_TRUE(draws(""));
  EXPECT_TRUE(draws("style=none"));
  EXPECT_TRUE(draws("", GST_BUFFER_FLAG_GAP)) << "without flicker where pictures are repeated";
  EXPECT_FALSE(draws("show-zones=false"));
  EXPECT_FALSE(draws("opacity=0"));
}

}  // namespace
}  // namespace cltrack::gst
