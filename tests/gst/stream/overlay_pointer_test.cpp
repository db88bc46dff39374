// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/overlay_stream.h"

#include <gtest/gtest.h>

#include "../support/gst_ptr.h"
#include "../support/navigation.h"

namespace cltrack::test {
namespace {

using gst::TrackRegion;

TrackRegion region(int id, const BoundingBox& box, TrackState state = TrackState::tracking) {
  TrackRegion result;
  result.id = id;
  result.label = "thing";
  result.box = box;
  result.state = state;
  return result;
}

class OverlayPointerTest : public ::testing::Test {
 protected:
  void see(GstEvent* event) { pointer_.observe(EventPtr(event).get()); }
  void click(double x, double y) {
    see(mouse_press(1, x, y));
    see(mouse_release(1, x, y));
  }
  std::optional<std::size_t> chosen() { return pointer_.marks(regions_, chosen_).chosen; }

  gst::OverlayPointer pointer_;
  gst::ChosenTrack chosen_;
  std::vector<TrackRegion> regions_{region(4, {0, 0, 100, 100}), region(9, {10, 10, 30, 30})};
};

TEST_F(OverlayPointerTest, TheBandIsThereWhileItIsDragged) {
  EXPECT_FALSE(pointer_.marks({}, chosen_).band);
  see(mouse_press(1, 10, 20));
  see(mouse_move(50, 60));
  EXPECT_EQ(pointer_.marks({}, chosen_).band, (BoundingBox{10, 20, 40, 40}));
  see(mouse_release(1, 50, 60));
  EXPECT_FALSE(pointer_.marks({}, chosen_).band);
}

TEST_F(OverlayPointerTest, AChoiceHoldsUntilAnotherIsMade) {
  EXPECT_FALSE(chosen());
  click(20, 20);
  EXPECT_EQ(chosen(), 1u);
  click(200, 200);
  EXPECT_EQ(chosen(), 1u) << "nothing is there";
  std::swap(regions_[0], regions_[1]);
  EXPECT_EQ(chosen(), 0u) << "wherever it is";
  click(60, 60);
  EXPECT_EQ(chosen(), 1u);
}

TEST_F(OverlayPointerTest, AChoiceEndsWithItsTrack) {
  click(20, 20);
  EXPECT_EQ(chosen(), 1u);
  const std::vector<TrackRegion> before = regions_;
  regions_[1].state = TrackState::lost;
  EXPECT_EQ(chosen(), 1u) << "for as long as it is shown";
  regions_.pop_back();
  EXPECT_FALSE(chosen());
  regions_ = before;
  EXPECT_FALSE(chosen());
}

TEST_F(OverlayPointerTest, WhatIsLostIsNotChosen) {
  regions_[1].state = TrackState::lost;
  click(20, 20);
  EXPECT_EQ(chosen(), 0u);
}

TEST_F(OverlayPointerTest, EachTrackerHasItsOwnIds) {
  regions_[0] = region(9, {0, 0, 100, 100});
  regions_[0].tracker = "a";
  regions_[1].tracker = "b";
  click(20, 20);
  EXPECT_EQ(chosen(), 1u);
  EXPECT_EQ(chosen_.get(), (gst::ChosenTrack::Value{9, "b"}));
  chosen_.set_tracker("a");
  EXPECT_EQ(chosen(), 0u);
  chosen_.set_tracker("");
  EXPECT_EQ(chosen(), 0u) << "the first one";
  chosen_.set_tracker("c");
  EXPECT_FALSE(chosen());
}

TEST_F(OverlayPointerTest, ForgetsAll) {
  click(20, 20);
  EXPECT_TRUE(chosen());
  click(60, 60);
  see(mouse_press(1, 10, 20));
  see(mouse_move(50, 60));
  pointer_.forget(chosen_);
  EXPECT_FALSE(pointer_.marks(regions_, chosen_).band);
  EXPECT_FALSE(chosen());
}

}  // namespace
}  // namespace cltrack::test
