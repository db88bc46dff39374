// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/target_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "../support/recording_tracker.h"
#include "cltrack/error.h"

namespace cltrack {
namespace {

using gst::OnBadTarget;
using gst::TargetUpdate;
using test::RecordingTracker;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class TargetUpdateTest : public ::testing::Test {
 protected:
  TargetUpdateTest() { targets_.begin(tracker_, false); }
  TargetUpdate update(OnBadTarget on_bad = OnBadTarget::leave_out) {
    return {320, 240, on_bad, warnings_};
  }
  void replace(const std::vector<BoundingBox>& boxes, OnBadTarget on_bad = OnBadTarget::leave_out) {
    TargetUpdate all = update(on_bad);
    for (const BoundingBox& box : boxes) all.add_box(box, "object");
    all.apply(targets_, ids_);
  }
  const BoundingBox& box(std::size_t i) const {
    return std::get<BoundingBox>(tracker_.seeds.at(i));
  }

  RecordingTracker tracker_;
  gst::TargetControl control_;
  gst::TargetSet targets_{control_};
  std::vector<std::uint64_t> ids_;
  std::vector<std::string> warnings_;
};

TEST_F(TargetUpdateTest, AddsWithLabels) {
  TargetUpdate all = update();
  all.add_box({10, 20, 30, 40}, "car");
  all.add_box({1, 2, 30.5f, 40}, "object");
  all.apply(targets_, ids_);
  EXPECT_THAT(tracker_.labels, ElementsAre("car", "object"));
  EXPECT_EQ(box(1), (BoundingBox{1, 2, 30.5f, 40}));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(TargetUpdateTest, ReplacesThoseBefore) {
  replace({{10, 20, 30, 40}, {1, 2, 30, 40}});
  replace({{5, 5, 30, 40}});
  EXPECT_THAT(tracker_.removed, ElementsAre(1u, 2u));
  EXPECT_THAT(ids_, ElementsAre(3u));
}

TEST_F(TargetUpdateTest, ColoursAreTakenAsTheyAre) {
  TargetUpdate all = update();
  all.add_color(ColorModel::nothing(), "red");
  all.add_color_box({300, -10, 30, 40}, "cap");
  all.add_color_box({400, -10, 30, 40}, "none");
  all.apply(targets_, ids_);
  EXPECT_THAT(tracker_.labels, ElementsAre("red", "cap"));
  EXPECT_TRUE(std::holds_alternative<ColorModel>(tracker_.seeds[0]));
  EXPECT_EQ(box(1), (BoundingBox{300, -10, 30, 40}));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("is ignored")));
}

TEST_F(TargetUpdateTest, PicturesHaveToFit) {
  const Image fits(320, 240), too_large(321, 240);
  TargetUpdate all = update();
  all.add_picture(fits.view(), "sign", "template-location");
  all.add_picture(too_large.view(), "sign", "template-location");
  all.apply(targets_, ids_);
  ASSERT_THAT(tracker_.seeds, SizeIs(1));
  EXPECT_EQ(std::get<ImageView>(tracker_.seeds[0]).data, fits.view().data);
  ASSERT_THAT(warnings_, SizeIs(1));
  EXPECT_THAT(warnings_[0], ::testing::StartsWith("template-location: "));
  EXPECT_THAT(warnings_[0], HasSubstr("is ignored"));
}

TEST_F(TargetUpdateTest, ClipsWithAWarning) {
  replace({{300, -10, 30, 40}});
  EXPECT_EQ(box(0), (BoundingBox{300, 0, 20, 30}));
  ASSERT_THAT(warnings_, SizeIs(1));
  EXPECT_THAT(warnings_[0], HasSubstr("x=300 y=-10 width=30 height=40"));
  EXPECT_THAT(warnings_[0], HasSubstr("clipped to x=300 y=0 width=20 height=30"));
}

TEST_F(TargetUpdateTest, LargerThanTheFrameIsTheFrame) {
  replace({{-10, -10, 1000, 1000}});
  EXPECT_EQ(box(0), (BoundingBox{0, 0, 320, 240}));
}

TEST_F(TargetUpdateTest, BoxesThatJustFitAreNotClipped) {
  replace({{0, 0, 320, 240}, {0.1f, 0.2f, 319.9f, 0.7f * 300}});
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(TargetUpdateTest, LeavesOutWhatCannotBeTracked) {
  for (const BoundingBox& bad :
       {BoundingBox{400, 10, 30, 30}, BoundingBox{10, 10, 0, 30}, BoundingBox{10, 10, 1, 1},
        BoundingBox{315, 10, 30, 30}, BoundingBox{NAN, 10, 30, 30}, BoundingBox{10, 10, -30, 30}}) {
    tracker_.seeds.clear();
    warnings_.clear();
    replace({bad, {10, 20, 30, 40}});
    EXPECT_THAT(tracker_.seeds, SizeIs(1)) << bad.x << " " << bad.width;
    ASSERT_THAT(warnings_, SizeIs(1));
    EXPECT_THAT(warnings_[0], HasSubstr("is ignored"));
  }
}

TEST_F(TargetUpdateTest, RefusalLeavesTheTrackerAsItWas) {
  replace({{10, 20, 30, 40}});
  EXPECT_THROW(replace({{1, 2, 30, 40}, {400, 10, 30, 30}}, OnBadTarget::refuse), Error);
  EXPECT_THAT(tracker_.seeds, SizeIs(1));
  EXPECT_THAT(tracker_.removed, IsEmpty());
  EXPECT_THAT(ids_, ElementsAre(1u));
}

}  // namespace
}  // namespace cltrack
