// SPDX-License-Identifier: LGPL-2.1-or-later
// Detections that are regions, ODMtds, or both.
#include "detections/detection.h"

#include <array>

#include "../support/analytics.h"
#include "../support/gst_ptr.h"
#include "../support/matchers.h"
#include "metadata/analytics_meta.h"
#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

using gst::Detection;

const BoundingBox kBox{10, 20, 30, 40}, kOther{60, 20, 30, 40};

class DetectionReadTest : public ::testing::Test {
 protected:
  GstVideoRegionOfInterestMeta* add_region(const BoundingBox& box, const char* type, int id = 0) {
    auto* region = gst_buffer_add_video_region_of_interest_meta(
        buffer_.get(), type, static_cast<guint>(box.x), static_cast<guint>(box.y),
        static_cast<guint>(box.width), static_cast<guint>(box.height));
    region->id = id;
    return region;
  }
  guint add_object(const BoundingBox& box, const char* type, float confidence = 0.9f) {
    return test::add_object(buffer_.get(), box, type, confidence);
  }
  std::vector<Detection> read() { return gst::read_detections(buffer_.get()).detections; }
  std::vector<std::string> labels() {
    std::vector<std::string> all;
    for (const Detection& detection : read()) all.push_back(detection.label);
    return all;
  }

  BufferPtr buffer_{gst_buffer_new()};
};

TEST_F(DetectionReadTest, AnObjectAloneIsADetection) {
  const guint object = add_object(kBox, "car", 0.5f);
  const auto found = read();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].label, "car");
  EXPECT_EQ(found[0].box, kBox);
  EXPECT_FLOAT_EQ(found[0].confidence, 0.5f);
  EXPECT_EQ(found[0].meta, nullptr);
  EXPECT_EQ(found[0].object, object);
}

TEST_F(DetectionReadTest, TheLikeliestClassIsTheLabel) {
  const guint object = add_object(kOther, nullptr, 0.9f);
  add_classes(buffer_.get(), object, {"cat", "dog"}, {0.1f, 0.9f});
  EXPECT_THAT(labels(), ElementsAre("dog"));
}

TEST_F(DetectionReadTest, OneObjectInBothWaysIsOneDetection) {
  auto* region = add_region(kBox, "car", 42);
  add_object(kOther, "car");
  const guint object = add_object({11, 18, 30, 40}, "car", 0.5f);
  const auto found = read();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].meta, region);
  EXPECT_EQ(found[0].object, object);
  EXPECT_EQ(found[0].box, kBox);
  EXPECT_FLOAT_EQ(found[0].confidence, 0.5f) << "the region says nothing of it";
  EXPECT_EQ(found[1].meta, nullptr);
}

TEST_F(DetectionReadTest, TheRegionsOwnConfidenceGoesFirst) {
  gst_video_region_of_interest_meta_add_param(
      add_region(kBox, "car"),
      gst_structure_new("detection", "confidence", G_TYPE_DOUBLE, 0.25, nullptr));
  add_object(kBox, "car", 0.5f);
  ASSERT_THAT(read(), SizeIs(1));
  EXPECT_FLOAT_EQ(read()[0].confidence, 0.25f);
}

// As DL Streamer pairs them: labels may differ, and boxes of which one was clipped.
TEST_F(DetectionReadTest, TheIdOfTheRegionMayNameTheObject) {
  add_object(kOther, "person");
  const guint object = add_object({6, 20, 30, 40}, nullptr);
  auto* region = add_region(kBox, "person", static_cast<int>(object));
  const auto found = read();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].meta, region);
  EXPECT_EQ(found[0].object, object);
}

TEST_F(DetectionReadTest, AnIdOfAnythingElseNamesNone) {
  add_object(kOther, "person");  // its id is 0, as that of regions to which nobody gave one
  add_region(kBox, "person", 0);
  EXPECT_THAT(read(), SizeIs(2));
}

TEST_F(DetectionReadTest, ObjectsCloseTogetherAreOfOneRegionEach) {
  add_object(kBox, "car");
  add_object(kBox, "car");
  add_region(kBox, "car");
  add_region(kBox, "car");
  const auto found = read();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_NE(found[0].object, found[1].object);
}

TEST_F(DetectionReadTest, WhatATrackerWroteDoesNotCount) {
  const std::array<Track, 1> track{
      Track{.id = 7, .label = "car", .box = kBox, .state = TrackState::tracking}};
  gst::TrackHistory history;
  gst::write_analytics(buffer_.get(), track, history, 100, 80);
  EXPECT_THAT(read(), IsEmpty());
  add_region(kBox, "car", 7);  // its region, the params of which a converter has dropped
  EXPECT_THAT(read(), IsEmpty());
  add_object(kOther, "bag");
  EXPECT_THAT(labels(), ElementsAre("bag"));
}

TEST_F(DetectionReadTest, ARegionOfATrackTakesItsObjectAlong) {
  add_object(kBox, "car");
  gst_video_region_of_interest_meta_add_param(add_region(kBox, "car"),
                                              gst_structure_new_empty("cltrack"));
  EXPECT_THAT(read(), IsEmpty());
}

TEST_F(DetectionReadTest, EmptyBoxesAndBytesThatAreNoTextAreNoHarm) {
  add_object({10, 20, 0, 40}, "car");
  add_object({10, 20, 30, -40}, "car");
  add_object(kBox, "b\xff");
  const auto found = read();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(g_utf8_validate(found[0].label.c_str(), -1, nullptr));
}

}  // namespace
}  // namespace cltrack::test
