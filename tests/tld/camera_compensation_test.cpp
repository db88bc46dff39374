// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/camera_compensation.h"

#include <gtest/gtest.h>

#include <optional>

#include "cltrack/tld_tracker.h"
#include "support/scene.h"
#include "tld/moving_target.h"

namespace cltrack {
namespace {

constexpr Point kShift = {20, -10};

class CameraCompensationTest : public testing::Test {
 protected:
  // A frame on which the camera moves, and the target by that in the picture. Returns what it was
  // expected to move by.
  Point frame(const Point& shift, const Point& target) {
    const Point expected = compensation_.begin_frame(shift, box_, true);
    box_.x += target.x;
    box_.y += target.y;
    compensation_.end_frame(box_);
    return expected;
  }
  void frames(int count, const Point& shift, const Point& target) {
    for (int i = 0; i < count; ++i) frame(shift, target);
  }

  BoundingBox box_ = {100, 100, 40, 40};
  CameraCompensation compensation_;
};

TEST_F(CameraCompensationTest, WhatGoesWithTheSceneIsExpectedThere) {
  EXPECT_EQ(frame(kShift, {21, -9}).x, 0) << "not known yet";
  const Point expected = frame(kShift, {21, -9});
  EXPECT_EQ(expected.x, kShift.x);
  EXPECT_EQ(expected.y, kShift.y);
}

TEST_F(CameraCompensationTest, WhatTheCameraFollowsStays) {
  frames(5, kShift, {1, 1});
  EXPECT_EQ(frame(kShift, {}).x, 0);
  EXPECT_EQ(compensation_.begin_frame(kShift, box_, false).x, 0) << "lost, too";
}

TEST_F(CameraCompensationTest, ACameraThatStandsSaysNothing) {
  frames(5, {}, {10, 0});
  EXPECT_EQ(frame(kShift, kShift).x, 0);
  EXPECT_EQ(frame({}, {}).x, 0);
  EXPECT_EQ(frame(kShift, kShift).x, kShift.x);
}

TEST_F(CameraCompensationTest, SmallShiftsAreForLostTargetsAlone) {
  frames(5, kShift, kShift);
  const Point small = {5, 5};
  EXPECT_EQ(compensation_.begin_frame(small, box_, true).x, 0);
  EXPECT_EQ(compensation_.begin_frame(small, box_, false).x, small.x);
}

TEST_F(CameraCompensationTest, LossesAndJumpsTeachNothing) {
  frames(5, kShift, kShift);
  for (int i = 0; i < 20; ++i) {
    compensation_.begin_frame(kShift, box_, i % 2 == 0);
    compensation_.end_frame(i % 2 == 0 ? std::nullopt : std::optional(box_));
  }
  EXPECT_EQ(frame(kShift, kShift).x, kShift.x);
  compensation_.reset();
  EXPECT_EQ(frame(kShift, kShift).x, 0);
}

// Two and a half sides of the target from one frame to the next are at the edge of the filter's
// window.
TEST(TldTracker, FollowsATargetThatACameraThrowsAbout) {
  constexpr int kWide = 480, kHigh = 360, kThrown = 24;
  const BoundingBox target = {300, 200, 10, 10};
  test::Scene scene(640, 440);
  const ImageView whole = scene.draw(target).luma;
  TldConfig config = test::single_threaded();
  config.camera_compensation = true;
  const auto tracker = make_tld_tracker(config);
  int right = 0;
  for (int i = 0; i < 60; ++i) {
    // Slowly at first, so that it is known that the target goes with the scene.
    const int x = i < 20 ? 60 + 6 * (i % 2) : 60 + (i % 4 < 2 ? kThrown : 0);
    const ImageView view = {whole.row(40) + x, kWide, kHigh, whole.stride};
    const BoundingBox here = {target.x - static_cast<float>(x), target.y - 40, 10, 10};
    if (i == 0) tracker->add(here);
    const Track track = tracker->process({.luma = view})[0];
    right += track.state == TrackState::tracking && overlap(track.box, here) > 0.5f;
  }
  EXPECT_GE(right, 55);
}

}  // namespace
}  // namespace cltrack
