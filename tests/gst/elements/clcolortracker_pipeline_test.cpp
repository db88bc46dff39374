// SPDX-License-Identifier: LGPL-2.1-or-later
// Real video: three bottles with caps of one blue, taken away and put back. Needs CLTRACK_DATA.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "../support/pipeline.h"
#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

using Regions = std::vector<gst::TrackRegion>;
using Frames = std::map<double, Regions>;  // by time, seconds

constexpr const char* kCaps =
    R"(<"hsv,hue-min=225,hue-max=255,saturation-min=0.65,value-min=0.25,label=cap">)";

Frames follow_caps(const std::string& video, int blobs) {
  Frames frames;
  Pipeline pipeline("filesrc location=" + video + " ! decodebin ! clcolortracker colors=" + kCaps +
                    " blobs=" + std::to_string(blobs) + " ! fakesink name=out sync=false");
  pipeline.probe("out", "sink", [&](GstBuffer* buffer) {
    frames[static_cast<double>(GST_BUFFER_PTS(buffer)) / GST_SECOND] = gst::read_tracks(buffer);
  });
  EXPECT_EQ(pipeline.run(), "");
  return frames;
}

class BottleCaps : public testing::Test {
 protected:
  void SetUp() override {
    const char* root = std::getenv("CLTRACK_DATA");
    video_ = std::filesystem::path(root != nullptr ? root : "") / "video" / "bottle-detection" /
             "bottle-detection.mp4";
    if (root == nullptr || !std::filesystem::exists(video_)) {
      GTEST_SKIP() << "needs real video: set CLTRACK_DATA to the folder of video/bottle-detection";
    }
  }
  std::filesystem::path video_;
};

TEST_F(BottleCaps, EachCapIsAnObjectAndTheirNumberFollowsTheTable) {
  // While nobody's hands are in the picture: seconds, and caps from left to right.
  struct Scene {
    double from, to;
    std::vector<int> places;  // pixels, of the caps' centres
  };
  const std::vector<Scene> scenes = {{0, 5, {97, 315, 536}},      {8, 10, {315, 536}},
                                     {13.5, 15, {100, 315, 536}}, {19, 21.5, {536}},
                                     {25, 26, {317, 536}},        {29, 30, {92, 317, 535}},
                                     {33, 34, {92, 317}},         {37.5, 38.5, {92, 317, 540}}};
  const Frames frames = follow_caps(video_.string(), 3);
  ASSERT_GT(frames.size(), 1000u);
  std::map<int, int> id_of_place;  // hundreds of pixels: bottles stand where they stood
  for (const auto& [from, to, places] : scenes) {
    int looked_at = 0;
    for (auto at = frames.lower_bound(from); at != frames.end() && at->first < to; ++at) {
      ASSERT_EQ(at->second.size(), places.size()) << at->first << " s";
      ++looked_at;
      for (const int place : places) {
        int found = 0;
        for (const gst::TrackRegion& region : at->second) {
          if (std::abs(region.box.center_x() - static_cast<float>(place)) > 15) continue;
          ++found;
          const auto [known, first] = id_of_place.try_emplace((place + 50) / 100, region.id);
          EXPECT_EQ(known->second, region.id) << place << " at " << at->first << " s";
          EXPECT_EQ(region.state, TrackState::tracking);
        }
        EXPECT_EQ(found, 1) << place << " at " << at->first << " s";
      }
    }
    EXPECT_GT(looked_at, 20) << "from " << from << " s";
  }
  EXPECT_EQ(id_of_place.size(), 3u);
}

TEST_F(BottleCaps, WithoutConnectivityTheyAreOneObject) {
  const Frames frames = follow_caps(video_.string(), 0);
  for (auto at = frames.begin(); at != frames.end() && at->first < 5; ++at) {
    ASSERT_EQ(at->second.size(), 1u);
    EXPECT_GT(at->second[0].box.width, 430);
  }
}

}  // namespace
}  // namespace cltrack::test
