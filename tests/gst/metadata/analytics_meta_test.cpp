// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/analytics_meta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "../support/analytics.h"
#include "../support/gst_ptr.h"

namespace cltrack {
namespace {

using gst::AnalyticsObject;
using gst::ObjectIds;
using gst::TrackHistory;
using test::BufferPtr;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

Track make_track(std::uint64_t id, const BoundingBox& box,
                 TrackState state = TrackState::tracking) {
  return {.id = id, .label = "car", .box = box, .confidence = 0.75f, .state = state};
}

class AnalyticsMetaTest : public ::testing::Test {
 protected:
  ObjectIds write(const std::vector<Track>& tracks, GstClockTime running_time = 100,
                  const ObjectIds& detected = {}) {
    history_.observe_tracks(tracks, running_time, false);
    return gst::write_analytics(buffer_.get(), tracks, history_, 100, 80, detected);
  }
  std::vector<test::ObjectMtd> objects() { return test::object_mtds(buffer_.get()); }
  std::vector<test::TrackingMtd> trackings() { return test::tracking_mtds(buffer_.get()); }

  BufferPtr buffer_{gst_buffer_new()};
  TrackHistory history_;
};

TEST_F(AnalyticsMetaTest, IsKnown) { EXPECT_TRUE(gst::has_analytics()); }

TEST_F(AnalyticsMetaTest, ATrackHasAnObjectRelatedToItsTracking) {
  const auto ids = write({make_track(0x1234567890, {10, 20.4f, 30, 40})});
  ASSERT_THAT(objects(), SizeIs(1));
  EXPECT_EQ(objects()[0].type, "car");
  EXPECT_EQ(objects()[0].box, (BoundingBox{10, 20, 30, 40}));
  EXPECT_FLOAT_EQ(objects()[0].confidence, 0.75f);
  ASSERT_THAT(trackings(), SizeIs(1));
  EXPECT_EQ(trackings()[0].id, 0x1234567890u);
  EXPECT_EQ(trackings()[0].first, 100u);
  EXPECT_EQ(trackings()[0].last, 100u);
  EXPECT_FALSE(trackings()[0].is_lost);
  EXPECT_THAT(trackings()[0].objects, ElementsAre(objects()[0].id));
  EXPECT_THAT(ids, ElementsAre(Pair(0x1234567890, objects()[0].id)));
}

TEST_F(AnalyticsMetaTest, ALostTrackIsATrackingAlone) {
  write({make_track(7, {10, 20, 30, 40})});
  buffer_.reset(gst_buffer_new());
  EXPECT_THAT(write({make_track(7, {}, TrackState::lost)}, 200), IsEmpty());
  EXPECT_THAT(objects(), IsEmpty());
  ASSERT_THAT(trackings(), SizeIs(1));
  EXPECT_TRUE(trackings()[0].is_lost);
  EXPECT_EQ(trackings()[0].first, 100u);
  EXPECT_EQ(trackings()[0].last, 100u);
}

TEST_F(AnalyticsMetaTest, BoxIsClampedToTheFrame) {
  write({make_track(7, {-5.4f, 70.2f, 30, 40})});
  ASSERT_THAT(objects(), SizeIs(1));
  EXPECT_EQ(objects()[0].box, (BoundingBox{0, 70, 25, 10}));
}

TEST_F(AnalyticsMetaTest, WhatIsOutsideIsTrackedButNotSeen) {
  EXPECT_THAT(write({make_track(7, {200, 20, 30, 40}), make_track(8, {NAN, 20, 30, 40})}),
              IsEmpty());
  EXPECT_THAT(objects(), IsEmpty());
  ASSERT_THAT(trackings(), SizeIs(2));
  EXPECT_FALSE(trackings()[0].is_lost);
}

TEST_F(AnalyticsMetaTest, ADetectionOfUpstreamStandsForTheObject) {
  test::add_object(buffer_.get(), {0, 0, 9, 9}, "bag");
  const guint car = test::add_object(buffer_.get(), {11, 21, 30, 40}, "car");
  const auto ids = write({make_track(7, {10, 20, 30, 40})}, 100, {{7, car}});
  EXPECT_THAT(ids, ElementsAre(Pair(7, car)));
  ASSERT_THAT(objects(), SizeIs(2));
  EXPECT_EQ(objects()[1].box, (BoundingBox{11, 21, 30, 40}));
  EXPECT_THAT(trackings().at(0).objects, ElementsAre(car));
}

TEST_F(AnalyticsMetaTest, ALostTrackIsNotRelatedToADetection) {
  const guint car = test::add_object(buffer_.get(), {11, 21, 30, 40}, "car");
  write({make_track(7, {}, TrackState::lost)}, 100, {{7, car}});
  EXPECT_THAT(objects(), SizeIs(1));
  EXPECT_THAT(trackings().at(0).objects, IsEmpty());
}

TEST_F(AnalyticsMetaTest, ManyTracksFindRoom) {
  std::vector<Track> tracks;
  for (std::uint64_t id = 1; id <= 300; ++id) tracks.push_back(make_track(id, {10, 20, 30, 40}));
  for (int i = 0; i < 7; ++i) test::add_object(buffer_.get(), {1, 2, 3, 4}, "bag");
  EXPECT_THAT(write(tracks), SizeIs(300));
  EXPECT_THAT(objects(), SizeIs(307));
  ASSERT_THAT(trackings(), SizeIs(300));
  EXPECT_EQ(trackings()[299].id, 300u);
  EXPECT_THAT(trackings()[299].objects, ElementsAre(objects()[306].id));
}

TEST_F(AnalyticsMetaTest, WithoutTracksTheRelationsAreEmptyAndCanGrow) {
  write({});
  ASSERT_NE(gst_buffer_get_analytics_relation_meta(buffer_.get()), nullptr);
  for (int i = 0; i < 7; ++i) test::add_object(buffer_.get(), {1, 2, 3, 4}, "bag");
  EXPECT_THAT(objects(), SizeIs(7));
}

TEST_F(AnalyticsMetaTest, ReadsWhatDetectorsWrite) {
  EXPECT_THAT(gst::read_objects(buffer_.get()), IsEmpty());
  test::add_object(buffer_.get(), {11, 21, 30, 40}, "car", 0.5f);
  test::add_object(buffer_.get(), {-3, -4, 20, 20}, "bag");
  const std::vector<AnalyticsObject> found = gst::read_objects(buffer_.get());
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].label, "car");
  EXPECT_EQ(found[0].box, (BoundingBox{11, 21, 30, 40}));
  EXPECT_FLOAT_EQ(found[0].confidence, 0.5f);
  EXPECT_FALSE(found[0].track);
  EXPECT_EQ(found[1].id, objects()[1].id);
  EXPECT_EQ(found[1].box, (BoundingBox{-3, -4, 20, 20}));
}

TEST_F(AnalyticsMetaTest, WithoutATypeTheLikeliestClassIsTheLabel) {
  const guint none = test::add_object(buffer_.get(), {1, 2, 3, 4}, nullptr);
  test::add_classes(buffer_.get(), none, {"cat", "dog", "cow"}, {0.2f, 0.7f, 0.1f});
  const guint unknown = test::add_object(buffer_.get(), {1, 2, 3, 4}, "unknown");
  test::add_classes(buffer_.get(), unknown, {"owl"}, {0.2f});
  const guint known = test::add_object(buffer_.get(), {1, 2, 3, 4}, "animal");
  test::add_classes(buffer_.get(), known, {"owl"}, {0.2f});
  test::add_object(buffer_.get(), {1, 2, 3, 4}, nullptr);
  test::add_object(buffer_.get(), {1, 2, 3, 4}, "unknown");
  std::vector<std::string> labels;
  for (const auto& object : gst::read_objects(buffer_.get())) labels.push_back(object.label);
  EXPECT_THAT(labels, ElementsAre("dog", "owl", "animal", "", "unknown"));
}

TEST_F(AnalyticsMetaTest, WhatATrackerHasWrittenIsTracked) {
  test::add_object(buffer_.get(), {1, 2, 3, 4}, "bag");
  write({make_track(7, {10, 20, 30, 40})});
  const auto found = gst::read_objects(buffer_.get());
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_FALSE(found[0].track);
  EXPECT_TRUE(found[1].track);
}

TEST_F(AnalyticsMetaTest, ATrackerMayRelateTheOtherWayRound) {
  const guint object = test::add_object(buffer_.get(), {1, 2, 3, 4}, "bag");
  GstAnalyticsRelationMeta* relations = gst_buffer_get_analytics_relation_meta(buffer_.get());
  GstAnalyticsTrackingMtd tracking;
  ASSERT_TRUE(gst_analytics_relation_meta_add_tracking_mtd(relations, 3, 0, &tracking));
  EXPECT_FALSE(gst::read_objects(buffer_.get()).at(0).track);
  gst_analytics_relation_meta_set_relation(relations, GST_ANALYTICS_REL_TYPE_CONTAIN, tracking.id,
                                           object);
  EXPECT_TRUE(gst::read_objects(buffer_.get()).at(0).track);
}

}  // namespace
}  // namespace cltrack
