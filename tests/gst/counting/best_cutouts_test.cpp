// SPDX-License-Identifier: LGPL-2.1-or-later
// Which pictures of tracks are kept until something happens.
#include <gtest/gtest.h>

#include <limits>

#include "../support/video_picture.h"
#include "cltrack/error.h"
#include "counting/event_pictures.h"

namespace cltrack::gst {
namespace {

constexpr std::int64_t kMs = 1'000'000;

class BestCutoutsTest : public testing::Test {
 protected:
  // Grey, of this brightness, by which it is known again.
  void see(int brightness, std::int64_t time, const std::vector<Track>& tracks) {
    const test::BufferPtr buffer =
        test::make_picture(info_, 0, [&](int, int, int c) { return c == 1 ? brightness : 128; });
    cutouts_.observe(buffer.get(), info_, tracks, time);
  }
  void see(int brightness, std::int64_t time, float confidence) {
    see(brightness, time, {track(confidence)});
  }
  static Track track(float confidence, const BoundingBox& box = {50, 40, 20, 40},
                     std::uint64_t id = 1) {
    Track track;
    track.id = id;
    track.box = box;
    track.confidence = confidence;
    track.state = TrackState::tracking;
    return track;
  }
  int best(std::uint64_t id = 1) const {
    const auto cutout = cutouts_.best(id);
    return cutout ? cutout->pixels[1] : -1;
  }

  GstVideoInfo info_ = test::video_info(GST_VIDEO_FORMAT_GRAY8, 200, 100);
  BestCutouts cutouts_{0.25f};
};

TEST_F(BestCutoutsTest, TheSurestOfTheLastSecondIsTheBest) {
  EXPECT_EQ(best(), -1);
  see(10, 0, 0.9f);
  see(20, 500 * kMs, 0.5f);
  see(30, 900 * kMs, 0.7f);
  EXPECT_EQ(best(), 10);
  see(40, 1001 * kMs, 0.1f);
  EXPECT_EQ(best(), 30);
  see(50, 1900 * kMs, 0.2f);
  EXPECT_EQ(best(), 30) << "it is one second old";
  see(60, 1901 * kMs, 0.15f);
  EXPECT_EQ(best(), 50);
  see(70, 9000 * kMs, 0.0f);
  EXPECT_EQ(best(), 70);
}

TEST_F(BestCutoutsTest, ABetterOneIsTakenAtOnce) {
  for (int i = 1; i <= 5; ++i) {
    see(i * 10, i * 40 * kMs, static_cast<float>(i) / 10);
    EXPECT_EQ(best(), i * 10);
  }
  see(60, 240 * kMs, 0.4f);
  EXPECT_EQ(best(), 50);
}

TEST_F(BestCutoutsTest, TheLastSecondIsThatInWhichItWasSeen) {
  see(10, 0, 0.9f);
  see(20, 5000 * kMs, std::vector<Track>());
  EXPECT_EQ(best(), 10);
  Track lost = track(1);
  lost.state = TrackState::lost;
  see(30, 5000 * kMs, {lost});
  EXPECT_EQ(best(), 10);
}

TEST_F(BestCutoutsTest, ConfidencesMayBeAnything) {
  see(10, 0, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(best(), 10);
  see(20, 40 * kMs, 0.5f);
  EXPECT_EQ(best(), 20);
}

TEST_F(BestCutoutsTest, ThereIsAMarginAroundBoxes) {
  see(10, 0, 0.9f);
  EXPECT_EQ(cutouts_.best(1)->info.width, 40);
  EXPECT_EQ(cutouts_.best(1)->info.height, 60);
  // But nothing beyond the picture; and nothing of what lies there as a whole.
  see(10, 0, {track(1, {190, 0, 20, 40}, 2), track(1, {500, 0, 20, 40}, 3)});
  EXPECT_EQ(cutouts_.best(2)->info.width, 20);
  EXPECT_EQ(cutouts_.best(2)->info.height, 50);
  EXPECT_EQ(best(3), -1);
}

TEST_F(BestCutoutsTest, WhoIsGoneIsForgotten) {
  see(10, 0, {track(1), track(1, {50, 40, 20, 40}, 2)});
  cutouts_.forget_if([](std::uint64_t id) { return id == 1; });
  EXPECT_EQ(best(1), -1);
  EXPECT_EQ(best(2), 10);
}

TEST_F(BestCutoutsTest, TheyTakeNoMoreThanSoMuch) {
  info_ = test::video_info(GST_VIDEO_FORMAT_GRAY8, 4000, 4000);
  const auto whole = [](std::uint64_t id, float confidence) {
    return track(confidence, {0, 0, 4000, 4000}, id);
  };
  // Two of 64 MB.
  see(10, 0, {whole(1, 0.9f)});
  see(20, 500 * kMs, {whole(1, 0.8f)});
  EXPECT_EQ(best(1), 10);
  see(30, 600 * kMs, {whole(2, 0.9f), whole(3, 0.9f)});
  EXPECT_EQ(best(1), 10);
  EXPECT_EQ(best(2), 30) << "the second one of the other track made room";
  EXPECT_EQ(best(3), -1);
  cutouts_.forget_if([](std::uint64_t id) { return id == 1; });
  see(40, 700 * kMs, {whole(3, 0.9f)});
  EXPECT_EQ(best(3), 40);
}

TEST(PictureEvents, AreNamed) {
  using enum ZoneEvent::Kind;
  EXPECT_EQ(parse_picture_events("leave, cross"), (std::set{cross, leave}));
  EXPECT_TRUE(parse_picture_events("").empty());
  try {
    parse_picture_events("cross crowded");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "picture-events: there is no \"crowded\" of tracks; allowed, with blanks between: "
                 "cross, enter, leave, dwell");
  }
}

}  // namespace
}  // namespace cltrack::gst
