// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gmock/gmock.h>
#include <gst/video/gstvideometa.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../support/color_scene.h"
#include "../support/tracker_harness.h"
#include "pictures/luma.h"

namespace cltrack {
namespace {

using test::BufferPtr;
using test::ColorPatch;
using test::kColorHeight;
using test::kColorWidth;
using test::kRedColor;
using test::kRedPatch;
using test::TrackerHarness;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<GstVideoFormat> color_formats() {
  std::vector<GstVideoFormat> formats;
  for (const GstVideoFormat format : test::supported_formats()) {
    if (gst::has_color(gst_video_format_get_info(format))) formats.push_back(format);
  }
  return formats;
}

class ColorFormatTest : public ::testing::TestWithParam<GstVideoFormat> {};

// Where neighbours share their chroma, edges are blurred by whoever makes the picture.
TEST_P(ColorFormatTest, FindsTheObject) {
  TrackerHarness harness({{"colors", kRedColor}}, "clcolortracker");
  harness.set_caps(kColorWidth, kColorHeight, GetParam());
  const auto found = test::regions(harness.pass(test::color_picture({kRedPatch}, GetParam())));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].label, "red");
  EXPECT_NEAR(found[0].box.x, kRedPatch.x, 4);
  EXPECT_NEAR(found[0].box.right(), kRedPatch.x + kRedPatch.width, 4);
  EXPECT_NEAR(found[0].box.y, kRedPatch.y, 2);
  EXPECT_NEAR(found[0].box.bottom(), kRedPatch.y + kRedPatch.height, 2);
}

INSTANTIATE_TEST_SUITE_P(ClColorTracker, ColorFormatTest, ::testing::ValuesIn(color_formats()),
                         [](const auto& tested) {
                           return gst_video_format_to_string(tested.param);
                         });

TEST(ClColorTracker, WritesAreaAndCentroid) {
  TrackerHarness harness({{"colors", kRedColor}}, "clcolortracker");
  harness.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  const BufferPtr buffer = harness.pass(test::color_picture({kRedPatch}));
  gpointer position = nullptr;
  const GstMeta* found = gst_buffer_iterate_meta_filtered(
      buffer.get(), &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  ASSERT_NE(found, nullptr);
  auto* meta = reinterpret_cast<GstVideoRegionOfInterestMeta*>(const_cast<GstMeta*>(found));
  const GstStructure* own = gst_video_region_of_interest_meta_get_param(meta, "cltrack");
  guint64 area = 0;
  double x = 0, y = 0;
  ASSERT_TRUE(gst_structure_get(own, "area", G_TYPE_UINT64, &area, "centroid-x", G_TYPE_DOUBLE, &x,
                                "centroid-y", G_TYPE_DOUBLE, &y, nullptr));
  EXPECT_EQ(area, 32u * 40u);
  EXPECT_DOUBLE_EQ(x, 55.5);
  EXPECT_DOUBLE_EQ(y, 43.5);
  EXPECT_STREQ(gst_structure_get_string(own, "algorithm"), "moct");
}

TEST(ClColorTracker, SaysWhenAnObjectIsLostAndFound) {
  TrackerHarness harness({{"colors", kRedColor}}, "clcolortracker");
  harness.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  EXPECT_THAT(test::regions(harness.pass(test::color_picture({kRedPatch}))), SizeIs(1));
  EXPECT_THAT(test::regions(harness.pass(test::color_picture({}))), IsEmpty());
  EXPECT_THAT(test::regions(harness.pass(test::color_picture({kRedPatch}))), SizeIs(1));
  const auto states = harness.states();
  ASSERT_THAT(states, SizeIs(3));
  EXPECT_EQ(test::state_of(states[0]), "tracking");
  EXPECT_EQ(test::state_of(states[1]), "lost");
  EXPECT_EQ(test::state_of(states[2]), "tracking");
  EXPECT_EQ(test::id_of(states[2]), 1u);
}

TEST(ClColorTracker, ColoursChangeWhileItRuns) {
  TrackerHarness harness({{"colors", kRedColor}}, "clcolortracker");
  harness.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  const ColorPatch blue = {100, 60, 20, 20, {10, 30, 210}};
  auto found = test::regions(harness.pass(test::color_picture({kRedPatch, blue})));
  ASSERT_THAT(found, SizeIs(1));
  harness.set("colors", R"(<"rgb, red=10, green=30, blue=210, label=blue">)");
  found = test::regions(harness.pass(test::color_picture({kRedPatch, blue})));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].label, "blue");
  EXPECT_EQ(found[0].box, (BoundingBox{100, 60, 20, 20}));
  // What is not allowed changes nothing.
  harness.set("colors", R"(<"hsv, hue-min=999">)");
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), ElementsAre(HasSubstr("hue-min is 999")));
  EXPECT_THAT(test::regions(harness.pass(test::color_picture({kRedPatch, blue}))), SizeIs(1));
  harness.set("colors", "<>");
  EXPECT_THAT(test::regions(harness.pass(test::color_picture({kRedPatch, blue}))), IsEmpty());
}

TEST(ClColorTracker, LearnsFromABoxAndTellsBlobsApart) {
  TrackerHarness harness(
      {{"colors", R"(<"box, x=38, y=22, width=36, height=44">)"}, {"blobs", "3"}, {"label", "cap"}},
      "clcolortracker");
  harness.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  EXPECT_THAT(test::regions(harness.pass(test::color_picture({kRedPatch}))), SizeIs(1));
  const ColorPatch other = {110, 60, 20, 20, kRedPatch.color};
  const auto found = test::regions(harness.pass(test::color_picture({kRedPatch, other})));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].id, 1);
  EXPECT_EQ(found[1].id, 2);
  EXPECT_EQ(found[1].label, "cap");
}

TEST(ClColorTracker, ABoxOutsideOfTheFirstFrameIsAnError) {
  TrackerHarness harness({{"colors", R"(<"box, x=500, y=22, width=36, height=44">)"}},
                         "clcolortracker");
  harness.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  EXPECT_EQ(harness.push(test::color_picture({kRedPatch})), GST_FLOW_ERROR);
  EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), SizeIs(1));
}

TEST(ClColorTracker, BadColoursStopTheStart) {
  GstElement* element = gst_element_factory_make("clcolortracker", nullptr);
  ASSERT_NE(element, nullptr);
  gst_object_ref_sink(element);
  gst_util_set_object_arg(G_OBJECT(element), "colors", R"(<"rgb, red=1">)");
  EXPECT_EQ(gst_element_set_state(element, GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  gst_util_set_object_arg(G_OBJECT(element), "colors", R"(<"hsv">)");
  EXPECT_NE(gst_element_set_state(element, GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  gst_element_set_state(element, GST_STATE_NULL);
  gst_object_unref(element);
}

TEST(ClColorTracker, ALabelThatIsNotUtf8IsRefused) {
  TrackerHarness harness({{"colors", R"(<"rgb, red=200, green=30, blue=30">)"}, {"label", "good"}},
                         "clcolortracker");
  g_object_set(harness.object(), "label", "caf\xe9", nullptr);
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING),
              ElementsAre(HasSubstr("label: \"caf\\351\" is not valid UTF-8")));
  char* label = nullptr;
  g_object_get(harness.object(), "label", &label, nullptr);
  EXPECT_STREQ(label, "good");
  g_free(label);
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  g_object_set(harness.object(), "label", "caf\xe9", nullptr);
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  g_object_set(harness.object(), "label", "caf\xc3\xa9", nullptr);
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
}

TEST(ClColorTracker, GreyVideoIsNotAccepted) {
  TrackerHarness harness({}, "clcolortracker");
  const test::CapsPtr caps =
      test::caps_from("video/x-raw,format=GRAY8,width=320,height=240,framerate=25/1");
  EXPECT_FALSE(gst_pad_peer_query_accept_caps(harness.get()->srcpad, caps.get()));
}

TEST(ClColorTracker, WithoutColoursBuffersPass) {
  TrackerHarness harness({}, "clcolortracker");
  harness.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  EXPECT_THAT(test::regions(harness.pass(test::color_picture({kRedPatch}))), IsEmpty());
}

}  // namespace
}  // namespace cltrack
