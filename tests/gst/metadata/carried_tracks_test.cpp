// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/carried_tracks.h"

#include <gmock/gmock.h>
#include <gst-cltrack/tracks.h>
#include <gst/video/gstvideometa.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "../support/gst_ptr.h"
#include "../support/video_picture.h"
#include "metadata/track_meta.h"

namespace cltrack::gst {
namespace {

using test::BufferPtr;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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
