// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gmock/gmock.h>
#include <gst-cltrack/tracks.h>
#include <gst/video/gstvideometa.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "../support/gst_ptr.h"
#include "../support/video_picture.h"
#include "metadata/carried_tracks.h"
#include "metadata/track_meta.h"

namespace cltrack::gst {
namespace {

using test::BufferPtr;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Track make_track(const BoundingBox& box, TrackState state = TrackState::tracking) {
  return {.id = 7,
          .label = "car",
          .box = box,
          .confidence = 0.75f,
          .state = state,
          .age = 3,
          .last_seen = 0};
}

std::vector<TrackRegion> write_and_read(const Track& track) {
  const BufferPtr buffer(gst_buffer_new());
  write_tracks(buffer.get(), std::span(&track, 1), {"tracker", "tld"}, 100, 80);
  return read_tracks(buffer.get());
}

TEST(TrackMeta, ComesBackAsWritten) {
  const auto regions = write_and_read(make_track({10, 20, 30, 40}, TrackState::uncertain));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].id, 7);
  EXPECT_EQ(regions[0].label, "car");
  EXPECT_EQ(regions[0].box, (BoundingBox{10, 20, 30, 40}));
  EXPECT_FLOAT_EQ(regions[0].confidence.value(), 0.75f);
  EXPECT_EQ(regions[0].state, TrackState::uncertain);
  EXPECT_EQ(regions[0].age, 3u);
  EXPECT_EQ(regions[0].algorithm, "tld");
  EXPECT_EQ(regions[0].tracker, "tracker");
}

TEST(TrackMeta, LostTrackLeavesNothing) {
  EXPECT_THAT(write_and_read(make_track({10, 20, 30, 40}, TrackState::lost)), IsEmpty());
}

TEST(TrackMeta, BoxIsClampedToTheFrame) {
  const auto regions = write_and_read(make_track({-5.4f, 70.2f, 30, 40}));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].box, (BoundingBox{0, 70, 25, 10}));
}

TEST(TrackMeta, BoxOutsideOrNotFiniteLeavesNothing) {
  EXPECT_THAT(write_and_read(make_track({100, 20, 30, 40})), IsEmpty());
  EXPECT_THAT(write_and_read(make_track({-30, 20, 30, 40})), IsEmpty());
  EXPECT_THAT(write_and_read(make_track({NAN, 20, 30, 40})), IsEmpty());
  EXPECT_THAT(write_and_read(make_track({1e30f, 1e30f, 1e30f, 1e30f})), IsEmpty());
}

TEST(TrackMeta, NarrowBoxKeepsAtLeastOnePixel) {
  const auto regions = write_and_read(make_track({99.8f, 10.1f, 0.1f, 0.2f}));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].box, (BoundingBox{99, 10, 1, 1}));
}

TEST(TrackMeta, TrailComesBackAsWritten) {
  const std::vector<TrackPoint> points = {{1, 2}, {3.5f, 4.25f}, {-6, 7}};
  Track track = make_track({10, 20, 30, 40});
  track.extent = {.area = 12, .centroid = points.back(), .trail = points};
  EXPECT_EQ(write_and_read(track).at(0).trail, points);
  track.extent->trail = {};
  EXPECT_THAT(write_and_read(track).at(0).trail, IsEmpty());
}

TEST(TrackMeta, TrailsThatAreNoneAreLeftOut) {
  for (const char* text :
       {"cltrack, trail=(double)5", "cltrack, trail=<(string)a, (string)b>",
        "cltrack, trail=<(double)1>", "cltrack, trail=<(double)nan, (double)1>"}) {
    const BufferPtr buffer(gst_buffer_new());
    auto* meta = gst_buffer_add_video_region_of_interest_meta(buffer.get(), "x", 1, 2, 3, 4);
    GstStructure* structure = gst_structure_from_string(text, nullptr);
    ASSERT_NE(structure, nullptr) << text;
    gst_video_region_of_interest_meta_add_param(meta, structure);
    EXPECT_THAT(read_tracks(buffer.get()).at(0).trail, IsEmpty()) << text;
  }
}

TEST(TrackMeta, EmptyLabelIsObject) {
  Track track = make_track({1, 2, 3, 4});
  track.label.clear();
  EXPECT_EQ(write_and_read(track).at(0).label, "object");
}

TEST(TrackMeta, ParametersHaveTheNamesThatOthersRead) {
  const BufferPtr buffer(gst_buffer_new());
  Track track = make_track({-10, 20.5f, 60, 40});
  track.id = 0x1234567890;
  write_tracks(buffer.get(), std::span(&track, 1), {"tracker", "tld"}, 100, 80);
  auto* meta = gst_buffer_get_video_region_of_interest_meta_id(buffer.get(), 0x34567890);
  ASSERT_NE(meta, nullptr);

  double x_min = -1, x_max = -1, y_min = -1, y_max = -1, confidence = -1;
  ASSERT_TRUE(gst_structure_get(gst_video_region_of_interest_meta_get_param(meta, "detection"),
                                "x_min", G_TYPE_DOUBLE, &x_min, "x_max", G_TYPE_DOUBLE, &x_max,
                                "y_min", G_TYPE_DOUBLE, &y_min, "y_max", G_TYPE_DOUBLE, &y_max,
                                "confidence", G_TYPE_DOUBLE, &confidence, nullptr));
  EXPECT_NEAR(x_min, 0.0, 1e-9);
  EXPECT_NEAR(x_max, 0.5, 1e-9);
  EXPECT_NEAR(y_min, 20.5 / 80, 1e-9);
  EXPECT_NEAR(y_max, 60.5 / 80, 1e-9);
  EXPECT_NEAR(confidence, 0.75, 1e-9);

  int id = 0;
  ASSERT_TRUE(gst_structure_get_int(gst_video_region_of_interest_meta_get_param(meta, "object_id"),
                                    "id", &id));
  EXPECT_EQ(id, 0x34567890);

  guint64 full_id = 0, age = 0;
  double x = 0, y = 0, width = 0, height = 0;
  const GstStructure* ours = gst_video_region_of_interest_meta_get_param(meta, "cltrack");
  ASSERT_TRUE(gst_structure_get(ours, "id", G_TYPE_UINT64, &full_id, "age", G_TYPE_UINT64, &age,
                                "x", G_TYPE_DOUBLE, &x, "y", G_TYPE_DOUBLE, &y, "width",
                                G_TYPE_DOUBLE, &width, "height", G_TYPE_DOUBLE, &height, nullptr));
  EXPECT_EQ(full_id, 0x1234567890u);
  EXPECT_EQ(age, 3u);
  EXPECT_EQ(x, -10);
  EXPECT_EQ(y, 20.5);
  EXPECT_EQ(width, 60);
  EXPECT_EQ(height, 40);
  EXPECT_STREQ(gst_structure_get_string(ours, "state"), "tracking");
  EXPECT_STREQ(gst_structure_get_string(ours, "algorithm"), "tld");
}

TEST(TrackMeta, ReadsRegionsOfOthersInOrder) {
  const BufferPtr buffer(gst_buffer_new());
  auto* first = gst_buffer_add_video_region_of_interest_meta(buffer.get(), "face", 1, 2, 3, 4);
  first->id = 5;
  auto* second = gst_buffer_add_video_region_of_interest_meta(buffer.get(), "hand", 5, 6, 7, 8);
  gst_video_region_of_interest_meta_add_param(
      second, gst_structure_new("detection", "confidence", G_TYPE_DOUBLE, 0.5, nullptr));

  const auto regions = read_tracks(buffer.get());
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[0].label, "face");
  EXPECT_EQ(regions[0].id, 5);
  EXPECT_EQ(regions[0].box, (BoundingBox{1, 2, 3, 4}));
  EXPECT_FALSE(regions[0].confidence.has_value());
  EXPECT_FALSE(regions[0].state.has_value());
  EXPECT_FALSE(regions[0].age.has_value());
  EXPECT_EQ(regions[0].algorithm, "");
  EXPECT_EQ(regions[1].label, "hand");
  EXPECT_FLOAT_EQ(regions[1].confidence.value(), 0.5f);
}

TEST(TrackMeta, BufferWithoutRegionsHasNoTracks) {
  const BufferPtr buffer(gst_buffer_new());
  EXPECT_THAT(read_tracks(buffer.get()), IsEmpty());
}

Track track(std::uint64_t id, const BoundingBox& box) {
  return {.id = id,
          .label = "red car",
          .box = box,
          .confidence = 0.75f,
          .state = TrackState::uncertain,
          .age = 3};
}

void write(const BufferPtr& buffer, const char* tracker, const std::vector<Track>& tracks) {
  write_tracks(buffer.get(), tracks, {tracker, "tld"}, 100, 80);
}

// What converters and scalers do: a new buffer, and each meta's own function.
BufferPtr scaled(const BufferPtr& buffer, int width, int height) {
  struct Job {
    GstVideoInfo in, out;
    GstBuffer* to;
  };
  BufferPtr to(gst_buffer_new());
  Job job = {test::video_info(GST_VIDEO_FORMAT_RGB, 100, 80),
             test::video_info(GST_VIDEO_FORMAT_RGB, width, height), to.get()};
  gst_buffer_foreach_meta(
      buffer.get(),
      [](GstBuffer* from, GstMeta** meta, gpointer data) -> gboolean {
        auto& j = *static_cast<Job*>(data);
        GstVideoMetaTransform sizes = {&j.in, &j.out};
        (*meta)->info->transform_func(j.to, *meta, from, gst_video_meta_transform_scale_get_quark(),
                                      &sizes);
        return TRUE;
      },
      &job);
  return to;
}

// "a 1 red car uncertain 10,20 30x40" and so on.
std::vector<std::string> read(const BufferPtr& buffer) {
  std::vector<CltrackTrack> tracks(cltrack_buffer_get_tracks(buffer.get(), nullptr, 0));
  cltrack_buffer_get_tracks(buffer.get(), tracks.data(), static_cast<guint>(tracks.size()));
  std::vector<std::string> texts;
  for (const CltrackTrack& one : tracks) {
    std::array<char, 200> text;
    g_snprintf(text.data(), text.size(), "%s %d %s %s %g,%g %gx%g", one.tracker,
               static_cast<int>(one.id), one.label, one.state, one.x, one.y, one.width, one.height);
    texts.emplace_back(text.data());
    EXPECT_EQ(one.confidence, 0.75);
    EXPECT_EQ(one.age, 3u);
  }
  return texts;
}

TEST(CarriedTracks, AreThereForReaders) {
  const BufferPtr buffer(gst_buffer_new());
  write(buffer, "a", {track(1, {10, 20, 30, 40}), track(2, {-5, 1, 20, 30})});
  EXPECT_THAT(read(buffer),
              ElementsAre("a 1 red car uncertain 10,20 30x40", "a 2 red car uncertain -5,1 20x30"));
}

TEST(CarriedTracks, WithoutTracksThereAreNone) {
  const BufferPtr buffer(gst_buffer_new());
  write(buffer, "a", {});
  EXPECT_THAT(read(buffer), IsEmpty());
}

TEST(CarriedTracks, ReadersMayHaveLessRoom) {
  const BufferPtr buffer(gst_buffer_new());
  write(buffer, "a", {track(1, {10, 20, 30, 40}), track(2, {0, 1, 20, 30})});
  CltrackTrack one;
  EXPECT_EQ(cltrack_buffer_get_tracks(buffer.get(), &one, 1), 2u);
  EXPECT_EQ(one.id, 1u);
}

TEST(CarriedTracks, SurviveAScalerBesideTheirRegions) {
  const BufferPtr buffer(gst_buffer_new());
  write(buffer, "a", {track(1, {10, 20, 30, 40})});
  write(buffer, "b", {track(1, {40, 20, 30, 40})});
  const BufferPtr result = scaled(scaled(buffer, 200, 160), 200, 40);
  EXPECT_THAT(read(result), ElementsAre("a 1 red car uncertain 40,20 120x40",
                                        "b 1 red car uncertain 160,20 120x40"));
  const std::vector<TrackRegion> regions = read_tracks(result.get());
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[0].key(), (TrackKey{"a", 1}));
  EXPECT_EQ(regions[1].key(), (TrackKey{"b", 1}));
  EXPECT_EQ(regions[1].state, TrackState::uncertain);
  EXPECT_EQ(regions[1].box, (BoundingBox{160, 20, 120, 40}));
  EXPECT_FLOAT_EQ(regions[1].confidence.value(), 0.75f);
}

TEST(CarriedTracks, ACopyHasThemOnce) {
  const BufferPtr buffer(gst_buffer_new());
  write(buffer, "a", {track(1, {10, 20, 30, 40})});
  const BufferPtr copy(gst_buffer_copy(buffer.get()));
  EXPECT_THAT(read(copy), SizeIs(1));
  EXPECT_EQ(read_tracks(copy.get()).at(0).key(), (TrackKey{"a", 1}));
  write(copy, "b", {track(1, {10, 20, 30, 40})});
  EXPECT_THAT(read(copy), SizeIs(2));
  EXPECT_THAT(read(buffer), SizeIs(1)) << "the original stays as it is";
}

TEST(CarriedTracks, ExtentsAreScaled) {
  const BufferPtr buffer(gst_buffer_new());
  Track one = track(1, {10, 20, 30, 40});
  const std::vector<TrackPoint> trail = {{1, 2}, {3, 4}};
  one.extent = {.area = 12, .centroid = {24.5f, 39.5f}, .trail = trail};
  write(buffer, "a", {one});
  const BufferPtr result = scaled(buffer, 200, 160);
  auto* region = gst_buffer_get_video_region_of_interest_meta_id(result.get(), 1);
  ASSERT_NE(region, nullptr);
  const GstStructure* fields = gst_video_region_of_interest_meta_get_param(region, "cltrack");
  ASSERT_NE(fields, nullptr);
  guint64 area = 0;
  double x = 0, y = 0;
  EXPECT_TRUE(gst_structure_get(fields, "area", G_TYPE_UINT64, &area, "centroid-x", G_TYPE_DOUBLE,
                                &x, "centroid-y", G_TYPE_DOUBLE, &y, nullptr));
  EXPECT_EQ(area, 48u);
  EXPECT_EQ(x, 49.5);
  EXPECT_EQ(y, 79.5);
  EXPECT_THAT(read_tracks(result.get()).at(0).trail,
              ElementsAre(TrackPoint{2.5f, 4.5f}, TrackPoint{6.5f, 8.5f}));
}

TEST(CarriedTracks, RegionsOfDetectorsStayAsTheyAre) {
  const BufferPtr buffer(gst_buffer_new());
  auto* detection = gst_buffer_add_video_region_of_interest_meta(buffer.get(), "x", 1, 2, 3, 4);
  gst_video_region_of_interest_meta_add_param(
      detection, gst_structure_new("detection", "confidence", G_TYPE_DOUBLE, 0.5, nullptr));
  write(buffer, "a", {track(1, {10, 20, 30, 40})});
  const std::vector<TrackRegion> regions = read_tracks(scaled(buffer, 200, 160).get());
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_FALSE(regions[0].state);
  EXPECT_EQ(regions[1].state, TrackState::uncertain);
}

}  // namespace
}  // namespace cltrack::gst
