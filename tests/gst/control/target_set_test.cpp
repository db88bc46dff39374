// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/target_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/recording_tracker.h"
#include "cltrack/error.h"

namespace cltrack {
namespace {

using gst::BoxUnits;
using gst::TargetChange;
using gst::TargetPlace;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr BoundingBox kBox{10, 20, 30, 40};

class TargetSetTest : public ::testing::Test {
 protected:
  TargetSetTest() { targets_.begin(tracker_, false); }

  std::vector<TargetChange> apply() {
    targets_.apply_commands(320, 240, warnings_);
    return targets_.take_changes();
  }

  test::RecordingTracker tracker_;
  gst::TargetControl control_;
  gst::TargetSet targets_{control_};
  std::vector<std::string> warnings_;
};

TEST_F(TargetSetTest, AddsMovesAndRemoves) {
  const auto id = control_.add({{kBox}}, "a", {.request = 1.5});
  auto changes = apply();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].action, TargetChange::Action::added);
  EXPECT_EQ(changes[0].id, id);
  EXPECT_EQ(changes[0].label, "a");
  EXPECT_EQ(std::get<double>(changes[0].origin.request), 1.5);
  EXPECT_EQ(std::get<BoundingBox>(tracker_.seeds.at(0)), kBox);
  EXPECT_FALSE(targets_.empty());

  control_.move(id, {{50, 60, 30, 40}}, {});
  changes = apply();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].action, TargetChange::Action::moved);
  EXPECT_EQ(changes[0].label, "a");
  EXPECT_THAT(tracker_.moved, ElementsAre(std::pair(1u, BoundingBox{50, 60, 30, 40})));

  control_.remove(id, {});
  changes = apply();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].action, TargetChange::Action::removed);
  EXPECT_THAT(tracker_.removed, ElementsAre(1u));
  EXPECT_TRUE(targets_.empty());
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(TargetSetTest, FractionsAreOfTheNextPicture) {
  control_.add({TargetPlace{{0.25f, 0.5f, 0.1f, 0.125f}, BoxUnits::fraction}}, "", {});
  apply();
  EXPECT_EQ(std::get<BoundingBox>(tracker_.seeds.at(0)), (BoundingBox{80, 120, 32, 30}));
}

TEST_F(TargetSetTest, ClipsButWhatLooksAtColours) {
  control_.add({{{300, -10, 30, 40}}}, "", {});
  apply();
  EXPECT_EQ(std::get<BoundingBox>(tracker_.seeds.at(0)), (BoundingBox{300, 0, 20, 30}));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("clipped")));
  targets_.end("test");
  targets_.begin(tracker_, true);
  control_.add({{{300, -10, 30, 40}}}, "", {});
  apply();
  EXPECT_EQ(std::get<BoundingBox>(tracker_.seeds.at(1)), (BoundingBox{300, -10, 30, 40}));
}

TEST_F(TargetSetTest, WhatLiesOutsideIsRefusedAndItsIdIsGone) {
  const auto id = control_.add({{{400, 10, 30, 30}}}, "a", {});
  const auto changes = apply();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].action, TargetChange::Action::refused);
  EXPECT_EQ(changes[0].id, id);
  EXPECT_THAT(changes[0].reason, HasSubstr("320x240"));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("this target is ignored")));
  EXPECT_TRUE(targets_.empty());
  EXPECT_THROW(control_.remove(id, {}), Error);
}

TEST_F(TargetSetTest, ABadMoveChangesNothing) {
  const auto id = control_.add({{kBox}}, "", {});
  apply();
  control_.move(id, {{400, 10, 30, 30}}, {});
  const auto changes = apply();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].action, TargetChange::Action::refused);
  EXPECT_THAT(tracker_.moved, IsEmpty());
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("stays where it is")));
  control_.remove(id, {});
  EXPECT_THAT(apply(), SizeIs(1)) << "it is still there";
}

TEST_F(TargetSetTest, RemovedInTheMeantimeIsNoMistake) {
  const auto id = targets_.add(kBox, "of a property", {});
  targets_.take_changes();
  control_.remove(id, {});
  targets_.remove(id, {});  // the property comes first
  EXPECT_THAT(apply(), SizeIs(1)) << "one answer";
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(TargetSetTest, TheNextTrackerGoesOnWithIds) {
  const auto asked = control_.add({{kBox}}, "", {});
  targets_.add(kBox, "of a property", {});
  apply();
  EXPECT_THAT(tracker_.ids, ElementsAre(2, asked));
  targets_.end("test");
  test::RecordingTracker second;
  targets_.begin(second, false);
  targets_.add(kBox, "", {});
  EXPECT_THAT(second.ids, ElementsAre(3));
}

TEST_F(TargetSetTest, ObjectsThatNobodyAddedGetIdsToo) {
  targets_.add(kBox, "", {});
  EXPECT_EQ(tracker_.next_id(), 2u);
  EXPECT_EQ(control_.add({{kBox}}, "", {}), 3u);
  EXPECT_EQ(tracker_.next_id(), 4u);
  EXPECT_THROW(control_.remove(4, {}), Error) << "nobody can change it";
}

TEST_F(TargetSetTest, TheEndSaysWhy) {
  const auto id = control_.add({{kBox}}, "a", {});
  apply();
  targets_.end("another stream has begun");
  const auto changes = targets_.take_changes();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].action, TargetChange::Action::removed);
  EXPECT_EQ(changes[0].reason, "another stream has begun");
  EXPECT_THROW(control_.move(id, {kBox}, {}), Error);
}

}  // namespace
}  // namespace cltrack
