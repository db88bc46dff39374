// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/video/gstvideometa.h>

#include <string>
#include <vector>

#include "../support/matchers.h"
#include "../support/scene.h"
#include "../support/tracker_harness.h"
#include "pictures/luma.h"

namespace cltrack::test {
namespace {

struct ColorTracker : TrackerHarness {
  ColorTracker(std::initializer_list<Property> properties)
      : TrackerHarness(properties, "clcolortracker") {
    set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  }
  ColorTracker() : ColorTracker(std::initializer_list<Property>{{"colors", kRedColor}}) {}
};

std::vector<GstVideoFormat> color_formats() {
  std::vector<GstVideoFormat> formats;
  for (const GstVideoFormat format : supported_formats()) {
    if (gst::has_color(gst_video_format_get_info(format))) formats.push_back(format);
  }
  return formats;
}

class ColorFormatTest : public ::testing::TestWithParam<GstVideoFormat> {};

// Where neighbours share their chroma, edges are blurred by whoever makes the picture.
TEST_P(ColorFormatTest, FindsTheObject) {
  ColorTracker harness;
  harness.set_caps(kColorWidth, kColorHeight, GetParam());
  const auto found = regions(harness.pass(color_picture({kRedPatch}, GetParam())));
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
  ColorTracker harness;
  const BufferPtr buffer = harness.pass(color_picture({kRedPatch}));
  gpointer position = nullptr;
  const GstMeta* found = gst_buffer_iterate_meta_filtered(
      buffer.get(), &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  ASSERT_NE(found, nullptr);
  auto* meta = reinterpret_cast<GstVideoRegionOfInterestMeta*>(const_cast<GstMeta*>(found));
  const GstStructure* own = gst_video_region_of_interest_meta_get_param(meta, "cltrack");
  EXPECT_EQ(uint64_of(own, "area"), 32u * 40u);
  EXPECT_DOUBLE_EQ(double_of(own, "centroid-x"), 55.5);
  EXPECT_DOUBLE_EQ(double_of(own, "centroid-y"), 43.5);
  EXPECT_STREQ(gst_structure_get_string(own, "algorithm"), "moct");
}

TEST(ClColorTracker, SaysWhenAnObjectIsLostAndFound) {
  ColorTracker harness;
  EXPECT_THAT(regions(harness.pass(color_picture({kRedPatch}))), SizeIs(1));
  EXPECT_THAT(regions(harness.pass(color_picture({}))), IsEmpty());
  EXPECT_THAT(regions(harness.pass(color_picture({kRedPatch}))), SizeIs(1));
  const auto states = harness.states();
  ASSERT_THAT(states, SizeIs(3));
  EXPECT_EQ(state_of(states[0]), "tracking");
  EXPECT_EQ(state_of(states[1]), "lost");
  EXPECT_EQ(state_of(states[2]), "tracking");
  EXPECT_EQ(id_of(states[2]), 1u);
}

TEST(ClColorTracker, ColoursChangeWhileItRuns) {
  ColorTracker harness;
  const ColorPatch blue = {100, 60, 20, 20, {10, 30, 210}};
  auto found = regions(harness.pass(color_picture({kRedPatch, blue})));
  ASSERT_THAT(found, SizeIs(1));
  harness.set("colors", R"(<"rgb, red=10, green=30, blue=210, label=blue">)");
  found = regions(harness.pass(color_picture({kRedPatch, blue})));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].label, "blue");
  EXPECT_EQ(found[0].box, (BoundingBox{100, 60, 20, 20}));
  // What is not allowed changes nothing.
  harness.set("colors", R"(<"hsv, hue-min=999">)");
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), ElementsAre(HasSubstr("hue-min is 999")));
  EXPECT_THAT(regions(harness.pass(color_picture({kRedPatch, blue}))), SizeIs(1));
  harness.set("colors", "<>");
  EXPECT_THAT(regions(harness.pass(color_picture({kRedPatch, blue}))), IsEmpty());
}

TEST(ClColorTracker, LearnsFromABoxAndTellsBlobsApart) {
  ColorTracker harness{
      {"colors", R"(<"box, x=38, y=22, width=36, height=44">)"}, {"blobs", "3"}, {"label", "cap"}};
  EXPECT_THAT(regions(harness.pass(color_picture({kRedPatch}))), SizeIs(1));
  const ColorPatch other = {110, 60, 20, 20, kRedPatch.color};
  const auto found = regions(harness.pass(color_picture({kRedPatch, other})));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].id, 1);
  EXPECT_EQ(found[1].id, 2);
  EXPECT_EQ(found[1].label, "cap");
}

TEST(ClColorTracker, ABoxOutsideOfTheFirstFrameIsAnError) {
  ColorTracker harness{{"colors", R"(<"box, x=500, y=22, width=36, height=44">)"}};
  EXPECT_EQ(harness.push(color_picture({kRedPatch})), GST_FLOW_ERROR);
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

TEST(ClColorTracker, GreyVideoIsNotAccepted) {
  TrackerHarness harness({}, "clcolortracker");
  const CapsPtr caps = caps_from("video/x-raw,format=GRAY8,width=320,height=240,framerate=25/1");
  EXPECT_FALSE(gst_pad_peer_query_accept_caps(harness.get()->srcpad, caps.get()));
}

TEST(ClColorTracker, WithoutColoursBuffersPass) {
  ColorTracker harness{{"colors", "<>"}};
  EXPECT_THAT(regions(harness.pass(color_picture({kRedPatch}))), IsEmpty());
}

}  // namespace
}  // namespace cltrack::test
