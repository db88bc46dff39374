// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks that other elements have written by GstAnalytics, as all elements downstream read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/analytics.h"
#include "../support/tracker_harness.h"
#include "metadata/analytics_meta.h"
#include "metadata/track_meta.h"
#include "metadata/zone_meta.h"

namespace cltrack::test {
namespace {

using gst::read_tracks;
using gst::TrackRegion;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class AnalyticsTracks : public testing::Test {
 protected:
  GstVideoRegionOfInterestMeta* add_region(const BoundingBox& box, const char* label, int id) {
    auto* region = gst_buffer_add_video_region_of_interest_meta(
        buffer_.get(), label, static_cast<guint>(box.x), static_cast<guint>(box.y),
        static_cast<guint>(box.width), static_cast<guint>(box.height));
    region->id = id;
    return region;
  }
  // As one of our trackers does.
  void write(TrackState state, const BoundingBox& object, const BoundingBox& region) {
    Track track;
    track.id = 1;
    track.label = "car";
    track.confidence = 0.9f;
    track.state = state;
    track.box = object;
    const gst::TrackHistory history;
    gst::write_analytics(buffer_.get(), {&track, 1}, history, 400, 400);
    track.box = region;
    gst::write_tracks(buffer_.get(), {&track, 1}, {"tracker", "tld"}, 400, 400);
  }
  std::vector<TrackRegion> read() { return read_tracks(buffer_.get()); }

  BufferPtr buffer_{gst_buffer_new()};
};

TEST_F(AnalyticsTracks, AreReadWithoutARegion) {
  const guint object = add_object(buffer_.get(), {10, 20, 30, 40}, "car", 0.5f);
  add_tracking(buffer_.get(), object, 0x100000007);
  ASSERT_THAT(read(), SizeIs(1));
  const TrackRegion track = read()[0];
  EXPECT_EQ(track.id, 7) << "the lower 31 bits, as of regions";
  EXPECT_EQ(track.label, "car");
  EXPECT_EQ(track.box, (BoundingBox{10, 20, 30, 40}));
  EXPECT_EQ(track.confidence, 0.5f);
  EXPECT_EQ(track.state, TrackState::tracking);
  EXPECT_EQ(track.key(), (gst::TrackKey{"", 7, "car"}));
}

TEST_F(AnalyticsTracks, DetectionsAndWhatIsLostAreNone) {
  add_object(buffer_.get(), {10, 20, 30, 40}, "car");
  add_tracking(buffer_.get(), add_object(buffer_.get(), {50, 20, 30, 40}, "car"), 3, true);
  EXPECT_THAT(read(), IsEmpty());
}

TEST_F(AnalyticsTracks, ARegionOfTheSameObjectHasItsId) {
  const guint first = add_object(buffer_.get(), {10, 20, 30, 40}, "car");
  const guint second = add_object(buffer_.get(), {60, 20, 30, 40}, "car");
  add_tracking(buffer_.get(), second, 12);
  // Those of DL Streamer have the numbers of the ODMtds.
  add_region({10, 20, 30, 40}, "car", static_cast<int>(first));
  add_region({60, 20, 30, 40}, "car", static_cast<int>(second));
  const std::vector<TrackRegion> regions = read();
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[0].id, static_cast<int>(first));
  EXPECT_FALSE(regions[0].state) << "it is not tracked";
  EXPECT_EQ(regions[1].id, 12);
  EXPECT_EQ(regions[1].state, TrackState::tracking);
}

TEST_F(AnalyticsTracks, OfOurTrackersAreReadOnce) {
  write(TrackState::uncertain, {10, 20, 30, 40}, {10, 20, 30, 40});
  ASSERT_THAT(read(), SizeIs(1));
  EXPECT_EQ(read()[0].state, TrackState::uncertain);
  EXPECT_EQ(read()[0].tracker, "tracker");
}

// GStreamer 1.24 scales regions, and no ODMtds.
TEST_F(AnalyticsTracks, OfOurTrackersAreReadOnceBehindAScaler) {
  write(TrackState::tracking, {10, 20, 30, 40}, {100, 200, 90, 80});
  ASSERT_THAT(read(), SizeIs(1));
  EXPECT_EQ(read()[0].box, (BoundingBox{100, 200, 90, 80}));
}

TEST(TrackZonesAnalytics, CountsTracksOfGstAnalyticsAlone) {
  ElementHarness harness("trackzones", {{"zones", "door: line 0,0.5 1,0.5"}});
  gst_harness_set_src_caps_str(harness.get(), "video/x-raw,format=GRAY8,width=200,height=200");
  BufferPtr last;
  for (const float y : {40, 60, 120, 120, 120}) {
    BufferPtr buffer(gst_buffer_new());
    add_tracking(buffer.get(), add_object(buffer.get(), {90, y - 20, 20, 20}, "car"), 5);
    last = harness.pass(std::move(buffer));
  }
  const auto news = gst::read_zones(last.get());
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].totals.at(0).forward, 1U);
  ASSERT_THAT(news[0].reports, SizeIs(1));
  EXPECT_EQ(news[0].reports[0].event.id, 5U);
}

}  // namespace
}  // namespace cltrack::test
