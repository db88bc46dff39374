// SPDX-License-Identifier: LGPL-2.1-or-later
// Analytics metadata of elements before the tracker, and what it writes itself.
#include <gst/video/gstvideometa.h>

#include "../support/analytics.h"
#include "../support/matchers.h"
#include "../support/tracker_harness.h"

namespace cltrack::test {
namespace {

BufferPtr frame(const BoundingBox& target) {
  return make_buffer(draw_scene(320, 240, target), GST_VIDEO_FORMAT_GRAY8);
}

GstVideoRegionOfInterestMeta* region_of(const BufferPtr& buffer) {
  gpointer position = nullptr;
  return reinterpret_cast<GstVideoRegionOfInterestMeta*>(gst_buffer_iterate_meta_filtered(
      buffer.get(), &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));
}

void push_segment(TrackerHarness& harness, GstClockTime start, GstClockTime base) {
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.start = segment.time = segment.position = start;
  segment.base = base;
  harness.push_event(gst_event_new_segment(&segment));
}

BufferPtr pass_at(TrackerHarness& harness, GstClockTime pts) {
  BufferPtr buffer = frame(kTarget);
  GST_BUFFER_PTS(buffer.get()) = pts;
  return harness.pass(std::move(buffer));
}

TEST(ClTrackerAnalytics, EveryPictureHasAnObjectBesideTheRegion) {
  GreyTracker harness{{"targets", "<<100,80,48,40,ball>,<200,20,40,40,hand>>"}};
  for (int i = 0; i < 5; ++i) {
    const BufferPtr buffer = harness.pass(frame(kTarget));
    const auto objects = object_mtds(buffer.get());
    const auto boxes = regions(buffer);
    ASSERT_THAT(objects, SizeIs(2)) << i;
    ASSERT_THAT(boxes, SizeIs(2)) << i;
    const auto trackings = tracking_mtds(buffer.get());
    ASSERT_THAT(trackings, SizeIs(2)) << i;
    for (std::size_t t = 0; t < 2; ++t) {
      EXPECT_EQ(objects[t].box, boxes[t].box) << i;
      EXPECT_EQ(objects[t].type, boxes[t].label);
      EXPECT_EQ(trackings[t].id, static_cast<guint64>(boxes[t].id));
      EXPECT_THAT(trackings[t].objects, ElementsAre(objects[t].id));
    }
  }
}

TEST(ClTrackerAnalytics, ALostTargetKeepsItsTracking) {
  GreyTracker harness{{"targets", "<<100,80,48,40,ball>>"}};
  for (int i = 0; i < 10; ++i) harness.pass(frame(kTarget));
  BufferPtr last;
  for (int i = 0; i < 10; ++i) last = harness.pass(frame({}));
  ASSERT_THAT(regions(last), IsEmpty()) << "lost";
  EXPECT_THAT(object_mtds(last.get()), IsEmpty());
  const auto trackings = tracking_mtds(last.get());
  ASSERT_THAT(trackings, SizeIs(1));
  EXPECT_TRUE(trackings[0].is_lost);
  EXPECT_EQ(trackings[0].id, 1u);
  EXPECT_EQ(trackings[0].first, 0u);
  EXPECT_GE(trackings[0].last, 9 * 40 * GST_MSECOND);
  EXPECT_LT(trackings[0].last, 19 * 40 * GST_MSECOND);
}

TEST(ClTrackerAnalytics, TimesAreRunningTimes) {
  GreyTracker harness{{"targets", "<<100,80,48,40,ball>>"}};
  push_segment(harness, 10 * GST_SECOND, 3 * GST_SECOND);
  pass_at(harness, 10 * GST_SECOND);
  auto trackings = tracking_mtds(pass_at(harness, 11 * GST_SECOND).get());
  ASSERT_THAT(trackings, SizeIs(1));
  EXPECT_EQ(trackings[0].first, 3 * GST_SECOND);
  EXPECT_EQ(trackings[0].last, 4 * GST_SECOND);

  // A seek without a flush: positions jump, running time goes on.
  push_segment(harness, 50 * GST_SECOND, 5 * GST_SECOND);
  trackings = tracking_mtds(pass_at(harness, 50 * GST_SECOND).get());
  EXPECT_EQ(trackings.at(0).first, 3 * GST_SECOND);
  EXPECT_EQ(trackings.at(0).last, 5 * GST_SECOND);

  // With a flush it begins anew, and the track with it.
  harness.push_event(gst_event_new_flush_start());
  harness.push_event(gst_event_new_flush_stop(TRUE));
  push_segment(harness, 20 * GST_SECOND, 0);
  trackings = tracking_mtds(pass_at(harness, 20 * GST_SECOND).get());
  ASSERT_THAT(trackings, SizeIs(1));
  EXPECT_EQ(trackings[0].id, 1u);
  EXPECT_EQ(trackings[0].first, 0u);
  EXPECT_EQ(trackings[0].last, 0u);
}

TEST(ClTrackerAnalytics, AnotherStreamHasTracksOfItsOwn) {
  GreyTracker harness{{"targets", "<<100,80,48,40,ball>>"}};
  for (int i = 0; i < 3; ++i) harness.pass(frame(kTarget));
  harness.push_event(gst_event_new_stream_start("another"));
  harness.set_caps(320, 240);
  push_segment(harness, 0, 60 * GST_SECOND);
  const auto trackings = tracking_mtds(pass_at(harness, 0).get());
  ASSERT_THAT(trackings, SizeIs(1));
  EXPECT_EQ(trackings[0].first, 60 * GST_SECOND);
}

TEST(ClTrackerAnalytics, WithoutTargetsTheMetaIsEmpty) {
  GreyTracker harness;
  const BufferPtr buffer = harness.pass(frame(kTarget));
  GstAnalyticsRelationMeta* relations = gst_buffer_get_analytics_relation_meta(buffer.get());
  ASSERT_NE(relations, nullptr) << "objectdetectionoverlay would draw the boxes of another picture";
  EXPECT_EQ(gst_analytics_relation_get_length(relations), 0u);
}

TEST(ClTrackerAnalytics, RegionsMayHaveTheIdsOfTheirObjects) {
  GreyTracker harness{{"targets", "<<100,80,48,40,ball>>"}, {"roi-id", "detection"}};
  for (int i = 0; i < 3; ++i) {
    BufferPtr buffer = frame(kTarget);
    for (int j = 0; j < 5; ++j) add_object(buffer.get(), {10, 10, 20, 20}, "bag");
    buffer = harness.pass(std::move(buffer));
    ASSERT_THAT(regions(buffer), SizeIs(1));
    EXPECT_EQ(region_of(buffer)->id, 5);
    EXPECT_EQ(object_mtds(buffer.get()).at(5).box, regions(buffer).at(0).box);
    EXPECT_EQ(regions(buffer).at(0).id, 1) << "the track's id is in the params";
  }
  harness.set("roi-id", "track");
  BufferPtr buffer = frame(kTarget);
  add_object(buffer.get(), {10, 10, 20, 20}, "bag");
  EXPECT_EQ(region_of(harness.pass(std::move(buffer)))->id, 1);
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), IsEmpty());
}

class AnalyticsDetectionTest : public ::testing::Test {
 protected:
  AnalyticsDetectionTest() { harness_.set_caps(320, 240); }

  TrackerHarness harness_{{"detections", "start"}};
};

TEST_F(AnalyticsDetectionTest, AnObjectStartsATrackThatGoesOnWithout) {
  for (int i = 0; i < 30; ++i) {
    BufferPtr buffer = frame(moving_target(i));
    if (i % 10 == 0) add_object(buffer.get(), moving_target(i), "ball");
    buffer = harness_.pass(std::move(buffer));
    const auto boxes = regions(buffer);
    ASSERT_THAT(boxes, SizeIs(1)) << i;
    EXPECT_EQ(boxes[0].id, 1) << i;
    EXPECT_EQ(boxes[0].label, "ball");
    EXPECT_THAT(object_mtds(buffer.get()), SizeIs(1)) << i;
    EXPECT_THAT(tracking_mtds(buffer.get()), SizeIs(1)) << i;
  }
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "added");
  EXPECT_EQ(found[0].source, "metadata");
}

TEST_F(AnalyticsDetectionTest, ObjectsOfUpstreamAreNeitherMovedNorDoubled) {
  const BoundingBox said{98, 83, 50, 40};
  for (int i = 0; i < 3; ++i) {
    BufferPtr buffer = frame(kTarget);
    add_object(buffer.get(), {1, 2, 5, 6}, "bag", 0.25f);  // too small to be tracked
    const guint ball = add_object(buffer.get(), said, "ball", 0.75f);
    buffer = harness_.pass(std::move(buffer));
    const auto objects = object_mtds(buffer.get());
    ASSERT_THAT(objects, SizeIs(2));
    EXPECT_EQ(objects[0].box, (BoundingBox{1, 2, 5, 6}));
    EXPECT_FLOAT_EQ(objects[0].confidence, 0.25f);
    EXPECT_EQ(objects[1].box, said);
    EXPECT_EQ(objects[1].type, "ball");
    EXPECT_FLOAT_EQ(objects[1].confidence, 0.75f);
    const auto trackings = tracking_mtds(buffer.get());
    ASSERT_THAT(trackings, SizeIs(1));
    EXPECT_EQ(trackings[0].id, 1u);
    EXPECT_THAT(trackings[0].objects, ElementsAre(ball));
    EXPECT_THAT(regions(buffer), SizeIs(1)) << "who reads regions finds the track, too";
  }
}

TEST_F(AnalyticsDetectionTest, OneObjectInBothWaysIsOneTrack) {
  harness_.set("roi-id", "detection");
  for (int i = 0; i < 3; ++i) {
    BufferPtr buffer = frame(kTarget);
    const guint ball = add_object(buffer.get(), kTarget, "ball");
    gst_buffer_add_video_region_of_interest_meta(buffer.get(), "ball", 100, 80, 48, 40)->id = 33;
    buffer = harness_.pass(std::move(buffer));
    EXPECT_THAT(regions(buffer), SizeIs(1));
    EXPECT_EQ(region_of(buffer)->id, 33) << "it is upstream's";
    EXPECT_EQ(regions(buffer).at(0).id, 1);
    EXPECT_THAT(object_mtds(buffer.get()), SizeIs(1));
    EXPECT_THAT(tracking_mtds(buffer.get()).at(0).objects, ElementsAre(ball));
  }
  EXPECT_THAT(actions(harness_), ElementsAre("added"));
}

TEST_F(AnalyticsDetectionTest, ARegionAloneGetsAnObjectBesideIt) {
  BufferPtr buffer = frame(kTarget);
  gst_buffer_add_video_region_of_interest_meta(buffer.get(), "ball", 100, 80, 48, 40);
  buffer = harness_.pass(std::move(buffer));
  EXPECT_THAT(regions(buffer), SizeIs(1));
  const auto objects = object_mtds(buffer.get());
  ASSERT_THAT(objects, SizeIs(1));
  EXPECT_GT(overlap(objects[0].box, kTarget), 0.8f);
  EXPECT_THAT(tracking_mtds(buffer.get()).at(0).objects, ElementsAre(objects[0].id));
}

TEST_F(AnalyticsDetectionTest, TracksOfAnotherTrackerStartNone) {
  GreyTracker first{{"targets", "<<100,80,48,40,ball>>"}};
  for (int i = 0; i < 3; ++i) {
    BufferPtr between = first.pass(frame(kTarget));
    // As a converter leaves them.
    for (GstVideoRegionOfInterestMeta* region = region_of(between); region->params != nullptr;) {
      gst_structure_free(static_cast<GstStructure*>(region->params->data));
      region->params = g_list_delete_link(region->params, region->params);
    }
    const BufferPtr buffer = harness_.pass(std::move(between));
    EXPECT_THAT(regions(buffer), SizeIs(1));
    EXPECT_THAT(object_mtds(buffer.get()), SizeIs(1));
  }
  EXPECT_THAT(actions(harness_), IsEmpty());
}

}  // namespace
}  // namespace cltrack::test
