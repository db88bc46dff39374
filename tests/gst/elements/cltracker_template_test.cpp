// SPDX-License-Identifier: LGPL-2.1-or-later
// cltracker algorithm=template: what is different from TLD.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/tracker_harness.h"

namespace cltrack {
namespace {

using test::BufferPtr;
using test::TrackerHarness;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kTargets = "<<60,50,60,50,\"it\">>";
constexpr BoundingBox kBox = {60, 50, 60, 50};

TEST(ClTrackerTemplate, FollowsATargetInSeveralFormats) {
  for (const GstVideoFormat format :
       {GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGB}) {
    TrackerHarness harness{{"algorithm", "template"}, {"targets", kTargets}};
    harness.set_caps(320, 240, format);
    for (int i = 0; i < 20; ++i) {
      BoundingBox target = kBox;
      target.x += 4 * static_cast<float>(i);
      const auto found = test::boxes(harness.pass(test::draw_scene(320, 240, target), format));
      ASSERT_THAT(found, SizeIs(1)) << i;
      EXPECT_GT(overlap(found[0], target), 0.8f) << i;
    }
  }
}

TEST(ClTrackerTemplate, ALostTargetLeavesNoRegionAndPostsItsState) {
  TrackerHarness harness{{"algorithm", "template"}, {"targets", kTargets}};
  harness.set_caps(320, 240);
  for (int i = 0; i < 3; ++i) harness.pass(test::draw_scene(320, 240, kBox));
  BufferPtr buffer;
  for (int i = 0; i < 5; ++i) buffer = harness.pass(test::draw_scene(320, 240));
  EXPECT_THAT(test::regions(buffer), SizeIs(0));
  const auto states = harness.states();
  ASSERT_FALSE(states.empty());
  EXPECT_EQ(test::state_of(states.back()), "lost");
}

TEST(ClTrackerTemplate, MetadataAndStatisticsNameTheAlgorithm) {
  TrackerHarness harness{
      {"algorithm", "template"}, {"targets", kTargets}, {"match-device", "host"}};
  harness.set_caps(320, 240);
  const BufferPtr buffer = harness.pass(test::draw_scene(320, 240, kBox));
  auto* meta = reinterpret_cast<GstVideoRegionOfInterestMeta*>(
      gst_buffer_get_meta(buffer.get(), GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));
  ASSERT_NE(meta, nullptr);
  const GstStructure* own = gst_video_region_of_interest_meta_get_param(meta, "cltrack");
  EXPECT_STREQ(gst_structure_get_string(own, "algorithm"), "template");
  const test::StructurePtr stats = harness.stats();
  const GValue* stages = gst_structure_get_value(stats.get(), "stages");
  ASSERT_EQ(gst_value_array_get_size(stages), 1u);
  const GstStructure* stage = gst_value_get_structure(gst_value_array_get_value(stages, 0));
  EXPECT_STREQ(gst_structure_get_string(stage, "name"), "match");
  EXPECT_STREQ(gst_structure_get_string(stage, "device"), "host");
  GstStructure* placement = nullptr;
  g_object_get(harness.object(), "placement", &placement, nullptr);
  const test::StructurePtr owned(placement);
  ASSERT_NE(placement, nullptr);
  EXPECT_EQ(gst_structure_n_fields(placement), 1);
  EXPECT_THAT(gst_structure_get_string(placement, "match"), HasSubstr("host"));
}

TEST(ClTrackerTemplate, WholeFramesByCosineAlwaysHaveABox) {
  TrackerHarness harness{{"algorithm", "template"},
                         {"targets", kTargets},
                         {"search", "frame"},
                         {"similarity", "cosine"}};
  harness.set_caps(320, 240);
  harness.pass(test::draw_scene(320, 240, kBox));
  const BoundingBox elsewhere = {200, 150, 60, 50};
  const auto found = test::boxes(harness.pass(test::draw_scene(320, 240, elsewhere)));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_GT(overlap(found[0], elsewhere), 0.8f);
  EXPECT_THAT(test::boxes(harness.pass(test::draw_scene(320, 240))), SizeIs(1));
}

TEST(ClTrackerTemplate, AFlatTemplateIsAWarning) {
  TrackerHarness harness{{"algorithm", "template"}, {"targets", kTargets}};
  harness.set_caps(320, 240);
  Image grey(320, 240);
  for (int y = 0; y < 240; ++y) std::fill_n(grey.row(y), 320, std::uint8_t{77});
  EXPECT_THAT(test::regions(harness.pass(grey)), SizeIs(0));
  const auto warnings = harness.texts(GST_MESSAGE_WARNING);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], AllOf(HasSubstr("flat"), HasSubstr("contrast")));
}

// Starts it anew with one property changed, and returns the only error.
std::string error_of_start(TrackerHarness& harness) {
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  const auto errors = harness.texts(GST_MESSAGE_ERROR);
  EXPECT_THAT(errors, SizeIs(1));
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  return errors.empty() ? "" : errors[0];
}

TEST(ClTrackerTemplate, WhatIsMissingIsOneErrorAtTheStart) {
  TrackerHarness harness{{"algorithm", "template"}};
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  harness.set("match-device", "a quantum computer");
  EXPECT_THAT(error_of_start(harness),
              AllOf(HasSubstr("match-device"), HasSubstr("devices present: host")));
  harness.set("match-device", "host");
  harness.set("uncertain-threshold", "0.9");
  EXPECT_THAT(error_of_start(harness), AllOf(HasSubstr("uncertain"), HasSubstr("0.9")));
  harness.set("uncertain-threshold", "0.3");
  harness.set("algorithm", "tld");
  harness.set("template-location", "/nonexistent.png");
  EXPECT_THAT(error_of_start(harness), HasSubstr("needs algorithm=template"));
  harness.set("template-location", "");
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
}

}  // namespace
}  // namespace cltrack
