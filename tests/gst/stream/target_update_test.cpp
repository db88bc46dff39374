// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/target_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cltrack/error.h"

namespace cltrack {
namespace {

using gst::OnBadTarget;
using gst::Target;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Keeps what it is given.
class RecordingTracker final : public Tracker {
 public:
  std::uint64_t add(const BoundingBox& box, std::string_view label) override {
    targets.push_back({box, std::string(label)});
    return targets.size();
  }
  bool remove(std::uint64_t id) override {
    removed.push_back(id);
    return true;
  }
  void reset() override {}
  void set_learning(bool) override {}
  std::span<const Track> process(const Frame&) override { return {}; }
  TrackerStats stats() const override { return {}; }

  std::vector<Target> targets;
  std::vector<std::uint64_t> removed;
};

class TargetUpdateTest : public ::testing::Test {
 protected:
  void replace(const std::vector<Target>& targets, OnBadTarget on_bad = OnBadTarget::leave_out) {
    gst::replace_targets(tracker_, ids_, targets, "object", 320, 240, on_bad, warnings_);
  }

  RecordingTracker tracker_;
  std::vector<std::uint64_t> ids_;
  std::vector<std::string> warnings_;
};

TEST_F(TargetUpdateTest, AddsWithLabels) {
  replace({{{10, 20, 30, 40}, "car"}, {{1, 2, 30.5f, 40}, ""}});
  ASSERT_THAT(tracker_.targets, SizeIs(2));
  EXPECT_EQ(tracker_.targets[0].label, "car");
  EXPECT_EQ(tracker_.targets[1].label, "object");
  EXPECT_EQ(tracker_.targets[1].box, (BoundingBox{1, 2, 30.5f, 40}));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(TargetUpdateTest, ReplacesThoseBefore) {
  replace({{{10, 20, 30, 40}, ""}, {{1, 2, 30, 40}, ""}});
  replace({{{5, 5, 30, 40}, ""}});
  EXPECT_THAT(tracker_.removed, ElementsAre(1u, 2u));
  EXPECT_THAT(ids_, ElementsAre(3u));
}

TEST_F(TargetUpdateTest, ClipsWithAWarning) {
  replace({{{300, -10, 30, 40}, ""}});
  EXPECT_EQ(tracker_.targets.at(0).box, (BoundingBox{300, 0, 20, 30}));
  ASSERT_THAT(warnings_, SizeIs(1));
  EXPECT_THAT(warnings_[0], HasSubstr("x=300 y=-10 width=30 height=40"));
  EXPECT_THAT(warnings_[0], HasSubstr("clipped to x=300 y=0 width=20 height=30"));
}

TEST_F(TargetUpdateTest, LargerThanTheFrameIsTheFrame) {
  replace({{{-10, -10, 1000, 1000}, ""}});
  EXPECT_EQ(tracker_.targets.at(0).box, (BoundingBox{0, 0, 320, 240}));
}

TEST_F(TargetUpdateTest, BoxesThatJustFitAreNotClipped) {
  replace({{{0, 0, 320, 240}, ""}, {{0.1f, 0.2f, 319.9f, 0.7f * 300}, ""}});
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(TargetUpdateTest, LeavesOutWhatCannotBeTracked) {
  for (const BoundingBox& bad :
       {BoundingBox{400, 10, 30, 30}, BoundingBox{10, 10, 0, 30}, BoundingBox{10, 10, 1, 1},
        BoundingBox{315, 10, 30, 30}, BoundingBox{NAN, 10, 30, 30}, BoundingBox{10, 10, -30, 30}}) {
    tracker_.targets.clear();
    warnings_.clear();
    replace({{bad, ""}, {{10, 20, 30, 40}, ""}});
    EXPECT_THAT(tracker_.targets, SizeIs(1)) << bad.x << " " << bad.width;
    ASSERT_THAT(warnings_, SizeIs(1));
    EXPECT_THAT(warnings_[0], HasSubstr("left out"));
  }
}

TEST_F(TargetUpdateTest, RefusalLeavesTheTrackerAsItWas) {
  replace({{{10, 20, 30, 40}, ""}});
  EXPECT_THROW(replace({{{1, 2, 30, 40}, ""}, {{400, 10, 30, 30}, ""}}, OnBadTarget::refuse),
               Error);
  EXPECT_THAT(tracker_.targets, SizeIs(1));
  EXPECT_THAT(tracker_.removed, IsEmpty());
  EXPECT_THAT(ids_, ElementsAre(1u));
}

}  // namespace
}  // namespace cltrack
