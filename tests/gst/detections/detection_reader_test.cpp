// SPDX-License-Identifier: LGPL-2.1-or-later
#include "../support/gst_ptr.h"
#include "../support/matchers.h"
#include "detections/detection.h"

namespace cltrack::test {
namespace {

TEST(ReadDetectionsTest, ADetectorMaySayThatItFoundNothing) {
  const BufferPtr buffer(gst_buffer_new());
  EXPECT_FALSE(gst::read_detections(buffer.get()).is_round);
  ASSERT_NE(gst_buffer_add_custom_meta(buffer.get(), gst::kDetectorRanMeta), nullptr);
  EXPECT_TRUE(gst::read_detections(buffer.get()).is_round);
}

TEST(ReadDetectionsTest, ARegionIsADetectionUnlessATrackerWroteIt) {
  const BufferPtr buffer(gst_buffer_new());
  auto* bag = gst_buffer_add_video_region_of_interest_meta(buffer.get(), "bag", 10, 20, 30, 40);
  gst_video_region_of_interest_meta_add_param(
      gst_buffer_add_video_region_of_interest_meta(buffer.get(), "car", 60, 20, 30, 40),
      gst_structure_new_empty("cltrack"));
  const auto found = gst::read_detections(buffer.get()).detections;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].meta, bag);
  EXPECT_EQ(found[0].label, "bag");
  EXPECT_EQ(found[0].box, (BoundingBox{10, 20, 30, 40}));
  EXPECT_EQ(found[0].confidence, 1);
}

}  // namespace
}  // namespace cltrack::test
