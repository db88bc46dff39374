// SPDX-License-Identifier: LGPL-2.1-or-later
// Regions of an element before the tracker start, confirm and find tracks again.
#include <gst/video/gstvideometa.h>

#include <algorithm>
#include <set>

#include "../support/matchers.h"
#include "../support/tracker_harness.h"

namespace cltrack::test {
namespace {

struct Region {
  BoundingBox box;
  const char* type = "ball";
  double confidence = -1;  // none
  int id = 77;
};

class DetectionTest : public ::testing::Test {
 protected:
  BufferPtr pass(const BoundingBox& target, const std::vector<Region>& detected,
                 bool is_repeated = false) {
    BufferPtr buffer = make_buffer(draw_scene(320, 240, target), GST_VIDEO_FORMAT_GRAY8);
    if (is_repeated) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_GAP);
    for (const Region& region : detected) {
      auto* meta = gst_buffer_add_video_region_of_interest_meta(
          buffer.get(), region.type, static_cast<guint>(region.box.x),
          static_cast<guint>(region.box.y), static_cast<guint>(region.box.width),
          static_cast<guint>(region.box.height));
      meta->id = region.id;
      if (region.confidence < 0) continue;
      gst_video_region_of_interest_meta_add_param(
          meta,
          gst_structure_new("detection", "confidence", G_TYPE_DOUBLE, region.confidence, nullptr));
    }
    return harness_.pass(std::move(buffer));
  }
  static int metas(const BufferPtr& buffer) {
    return static_cast<int>(
        gst_buffer_get_n_meta(buffer.get(), GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));
  }

  GreyTracker harness_{{"detections", "start"}};
};

TEST_F(DetectionTest, StartsOnThePictureOnWhichItIsDetectedAndGoesOnWithout) {
  EXPECT_THAT(regions(pass(moving_target(0), {})), IsEmpty());
  const BufferPtr first = pass(moving_target(1), {{moving_target(1)}});
  EXPECT_EQ(metas(first), 1) << "no second box for one object";
  const auto on_first = regions(first);
  ASSERT_THAT(on_first, SizeIs(1));
  EXPECT_EQ(on_first[0].id, 1);
  EXPECT_EQ(on_first[0].label, "ball");
  EXPECT_TRUE(on_first[0].state.has_value());
  for (int i = 2; i < 20; ++i) {
    const auto regions = test::regions(pass(test::moving_target(i), {}));
    ASSERT_THAT(regions, SizeIs(1)) << i;
    EXPECT_EQ(regions[0].id, 1);
    EXPECT_GT(overlap(regions[0].box, moving_target(i)), 0.6f) << i;
  }
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].action, "added");
  EXPECT_EQ(found[0].source, "metadata");
}

TEST_F(DetectionTest, EveryTenthPictureKeepsTheId) {
  for (int i = 0; i < 40; ++i) {
    std::vector<Region> detected;
    if (i % 10 == 0) detected.push_back({moving_target(i)});
    const auto found = regions(pass(moving_target(i), detected));
    ASSERT_THAT(found, SizeIs(1)) << i;
    EXPECT_EQ(found[0].id, 1) << i;
  }
}

// A detector behind videorate may only ever see pictures that are repeated.
TEST_F(DetectionTest, OnRepeatedPicturesStartTracksOnce) {
  const BoundingBox place = moving_target(0), other{20, 20, 48, 40};
  EXPECT_THAT(regions(pass(place, {{place}})), SizeIs(1));
  EXPECT_THAT(regions(pass(place, {})), SizeIs(1));
  EXPECT_THAT(regions(pass(place, {{place}, {other}}, true)), SizeIs(2));
  const guint64 frames = uint64_of(harness_.stats().get(), "frames");
  const BufferPtr again = pass(place, {{place}, {other}}, true);
  EXPECT_THAT(regions(again), SizeIs(2));
  EXPECT_EQ(metas(again), 2) << "no second box for one object";
  EXPECT_EQ(uint64_of(harness_.stats().get(), "frames"), frames);
}

TEST_F(DetectionTest, CountsOnlyWhereItIsSearched) {
  const Region left{{20, 100, 48, 40}}, right{{250, 100, 48, 40}};
  harness_.set("region", "0,0 0.5,0 0.5,1 0,1");
  EXPECT_EQ(metas(pass(left.box, {left, right})), 2);
  EXPECT_THAT(actions(harness_), ElementsAre("added"));
  harness_.set("region", "");
  harness_.set("ignore-regions", "0.5,0.9 1,0.9 1,1; 0.5,0 1,0 1,1 0.5,1");
  pass(left.box, {left, right});
  EXPECT_THAT(actions(harness_), IsEmpty());
  harness_.set("ignore-regions", "");
  pass(left.box, {left, right});
  EXPECT_THAT(actions(harness_), ElementsAre("added"));
}

// What a detection has started is followed out of the region, and reported within it alone.
TEST_F(DetectionTest, WhatIsStartedHasABoxWhereItIsSearchedAlone) {
  harness_.set("region", "0,0 0.5,0 0.5,1 0,1");
  std::set<int> with_box;
  for (int i = 0; i < 48; ++i) {  // to the right and back
    const BoundingBox target{60 + 4 * static_cast<float>(std::min(i, 47 - i)), 100, 48, 40};
    std::vector<Region> detected;
    if (i % 2 == 0) detected.push_back({target});
    for (const gst::TrackRegion& region : regions(pass(target, detected))) {
      if (region.tracker.empty()) continue;
      EXPECT_LE(region.box.center_x(), 160.5f) << "picture " << i;
      EXPECT_EQ(region.id, 1) << "picture " << i;
      with_box.insert(i);
    }
  }
  EXPECT_TRUE(with_box.contains(0));
  EXPECT_TRUE(with_box.contains(47)) << "it has come back";
  EXPECT_THAT(actions(harness_), ElementsAre("added"));
}

TEST_F(DetectionTest, OfTooManyTheMostConfidentAreUsed) {
  std::vector<Region> detected;
  for (int i = 0; i < 1100; ++i) {
    detected.push_back({{10.0f + static_cast<float>(i % 250), 10, 40, 40}, "ball", 0.2});
  }
  detected.push_back({moving_target(0), "ball", 0.9});
  for (int i = 0; i < 3; ++i) {
    const auto found = regions(pass(moving_target(0), detected));
    EXPECT_EQ(std::ranges::count(found, false,
                                 [](const gst::TrackRegion& one) { return one.tracker.empty(); }),
              1)
        << "the last one has started a track";
  }
  EXPECT_THAT(
      harness_.texts(GST_MESSAGE_WARNING),
      ElementsAre(AllOf(HasSubstr("1101 detections"), HasSubstr("the 1000 most confident"))))
      << "said once";
}

TEST_F(DetectionTest, RefusesPolygonsThatAreNone) {
  harness_.set("region", "0,0 0.5,0 0.5,1 0,1");
  harness_.set("region", "0,0 0.5,0");
  const auto texts = harness_.texts(GST_MESSAGE_WARNING);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0], HasSubstr("region: \"0,0 0.5,0\" has fewer than three points"));
  EXPECT_EQ(text_property(harness_.object(), "region"), "0,0 0.5,0 0.5,1 0,1");
}

TEST_F(DetectionTest, RegionsOfUpstreamStayAsTheyAre) {
  const Region region{moving_target(0), "ball", 0.75, 42};
  pass(moving_target(0), {region});
  const BufferPtr buffer = pass(moving_target(1), {region});
  gpointer position = nullptr;
  auto* meta = reinterpret_cast<GstVideoRegionOfInterestMeta*>(gst_buffer_iterate_meta_filtered(
      buffer.get(), &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));
  ASSERT_NE(meta, nullptr);
  EXPECT_EQ(meta->id, 42);
  EXPECT_EQ(meta->x, static_cast<guint>(region.box.x));
  EXPECT_EQ(meta->w, static_cast<guint>(region.box.width));
  EXPECT_EQ(double_of(gst_video_region_of_interest_meta_get_param(meta, "detection"), "confidence"),
            0.75);
  int id = 0;
  const GstStructure* object = gst_video_region_of_interest_meta_get_param(meta, "object_id");
  ASSERT_NE(object, nullptr);
  EXPECT_TRUE(gst_structure_get_int(object, "id", &id));
  EXPECT_EQ(id, 1);
  EXPECT_NE(gst_video_region_of_interest_meta_get_param(meta, "cltrack"), nullptr);
}

TEST_F(DetectionTest, TypesAndConfidenceChoose) {
  harness_.set("detection-types", "ball,person");
  harness_.set("detection-confidence", "0.5");
  const BoundingBox target = moving_target(0);
  EXPECT_THAT(regions(pass(target, {{target, "dog"}})), SizeIs(1)) << "the region itself";
  pass(target, {{target, "ball", 0.4}});
  EXPECT_THAT(actions(harness_), IsEmpty());
  pass(target, {{target, "ball", 0.6}});
  EXPECT_THAT(actions(harness_), ElementsAre("added"));
}

TEST_F(DetectionTest, ATypeMayBeAnyBytes) {
  const BoundingBox target = moving_target(0);
  pass(target, {{target, "b\xff"}});
  const auto found = answers(harness_);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(g_utf8_validate(found[0].label.c_str(), -1, nullptr));
}

TEST_F(DetectionTest, IgnoredByDefault) {
  harness_.set("detections", "ignore");
  const BoundingBox target = moving_target(0);
  pass(target, {{target}});
  EXPECT_THAT(actions(harness_), IsEmpty());
}

TEST_F(DetectionTest, FoundAgainElsewhereWhenLost) {
  harness_.set("detections", "when-lost");
  const BoundingBox here{100, 80, 48, 40}, there{150, 110, 48, 40};
  pass(here, {{here}});
  for (int i = 0; i < 10; ++i) pass(here, {});
  BufferPtr last;
  for (int i = 0; i < 10; ++i) last = pass({}, {});
  ASSERT_THAT(regions(last), IsEmpty()) << "lost";
  const auto found = regions(pass(there, {{there}}));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, 1);
  EXPECT_THAT(actions(harness_), ElementsAre("added"));
}

TEST_F(DetectionTest, TheLimitOfTargetsIsSaidOnce) {
  GreyTracker harness{{"detections", "start"}, {"max-targets", "1"}};
  for (int i = 0; i < 3; ++i) {
    BufferPtr buffer = make_buffer(draw_scene(320, 240), GST_VIDEO_FORMAT_GRAY8);
    for (const guint x : {10u, 100u, 200u}) {
      gst_buffer_add_video_region_of_interest_meta(buffer.get(), "ball", x, 80, 40, 40);
    }
    harness.pass(std::move(buffer));
  }
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), ElementsAre(HasSubstr("is not tracked")));
}

// It searches the whole frame each time, so there is no place to correct.
TEST_F(DetectionTest, WhatCannotBeMovedIsLeftAlone) {
  GreyTracker harness{
      {"detections", "start-and-correct"}, {"algorithm", "template"}, {"search", "frame"}};
  for (const guint x : {100u, 100u, 116u}) {
    BufferPtr buffer = make_buffer(draw_scene(320, 240, {100, 80, 48, 40}), GST_VIDEO_FORMAT_GRAY8);
    gst_buffer_add_video_region_of_interest_meta(buffer.get(), "ball", x, 80, 48, 40);
    EXPECT_NE(harness.pass(std::move(buffer)), nullptr);
  }
  EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), IsEmpty());
  EXPECT_THAT(regions(harness.pass(draw_scene(320, 240, {100, 80, 48, 40}))), SizeIs(1));
}

TEST_F(DetectionTest, PropertiesAreReadBack) {
  harness_.set("detection-types", "a,,b,");
  EXPECT_EQ(text_property(harness_.object(), "detection-types"), "a,b");
  guint64 timeout = 0;
  g_object_get(harness_.object(), "detection-timeout", &timeout, nullptr);
  EXPECT_EQ(timeout, 5 * GST_SECOND);
}

}  // namespace
}  // namespace cltrack::test
