// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/target_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "../support/refusal.h"
#include "cltrack/error.h"

namespace cltrack {
namespace {

using gst::BoxUnits;
using gst::TargetCommand;
using gst::TargetControl;
using gst::TargetPlace;
using test::refusal;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr BoundingBox kBox{10, 20, 30, 40};

TEST(TargetControl, IdsAreGivenAtOnceAndInTurn) {
  TargetControl control;
  EXPECT_EQ(control.add({{kBox}}, "a", {}), 1u);
  EXPECT_EQ(control.new_target(), 2u);
  EXPECT_EQ(control.new_object(), 3u);
  EXPECT_EQ(control.add({{kBox}}, "b", {}), 4u);
}

TEST(TargetControl, CommandsAreTakenOnceInTheirOrder) {
  TargetControl control;
  const auto id = control.add({{kBox}}, "a", {.request = std::int64_t{7}});
  control.move(id, {{0, 0, 9, 9}}, {});
  control.remove(id, {});
  const auto commands = control.take();
  ASSERT_THAT(commands, SizeIs(3));
  EXPECT_EQ(commands[0].action, TargetCommand::Action::add);
  EXPECT_EQ(commands[0].seed.place.box, kBox);
  EXPECT_EQ(commands[0].label, "a");
  EXPECT_EQ(std::get<std::int64_t>(commands[0].origin.request), 7);
  EXPECT_EQ(commands[1].action, TargetCommand::Action::move);
  EXPECT_EQ(commands[2].action, TargetCommand::Action::remove);
  EXPECT_EQ(commands[2].id, id);
  EXPECT_THAT(control.take(), IsEmpty());
}

TEST(TargetControl, RefusesWhatNoPictureCanHave) {
  TargetControl control;
  const float inf = std::numeric_limits<float>::infinity();
  for (const BoundingBox& bad :
       {BoundingBox{NAN, 0, 30, 30}, BoundingBox{0, inf, 30, 30}, BoundingBox{0, 0, inf, 30},
        BoundingBox{0, 0, 0, 30}, BoundingBox{0, 0, 30, -30}, BoundingBox{0, 0, 7.9f, 30}}) {
    EXPECT_THAT(refusal([&] { control.add({{bad}}, "", {}); }), HasSubstr("cannot be tracked: "));
  }
  EXPECT_THAT(control.take(), IsEmpty());
  const TargetPlace part{{0.1f, 0.1f, 0.2f, 0.2f}, BoxUnits::fraction};
  EXPECT_EQ(control.add({part}, "", {}), 1u) << "an id is not lost with what is refused";
  const TargetPlace none{{0.1f, 0.1f, 0, 0.2f}, BoxUnits::fraction};
  EXPECT_THAT(refusal([&] { control.add({none}, "", {}); }), HasSubstr("more than 0"));
}

TEST(TargetControl, UnknownIdsAreRefused) {
  TargetControl control;
  const auto id = control.add({{kBox}}, "", {});
  const auto blob = control.new_object();
  for (const std::uint64_t unknown : {std::uint64_t{0}, blob, std::uint64_t{99}, UINT64_MAX}) {
    EXPECT_THAT(refusal([&] { control.move(unknown, {kBox}, {}); }), HasSubstr("no target"));
    EXPECT_THAT(refusal([&] { control.remove(unknown, {}); }), HasSubstr("no target"));
  }
  control.remove(id, {});
  EXPECT_THAT(refusal([&] { control.remove(id, {}); }), HasSubstr("no target with the id 1"));
  EXPECT_THAT(refusal([&] { control.move(id, {kBox}, {}); }), HasSubstr("no target"));
}

TEST(TargetControl, ThereIsALimit) {
  TargetControl control;
  control.limit(2);
  control.new_target();
  const auto id = control.add({{kBox}}, "", {});
  EXPECT_THAT(refusal([&] { control.add({{kBox}}, "", {}); }), HasSubstr("2 are allowed"));
  control.remove(id, {});
  control.add({{kBox}}, "", {});
  control.limit({});
  control.add({{kBox}}, "", {});
}

TEST(TargetControl, ClearRemovesAllThatAreThere) {
  TargetControl control;
  control.new_target();
  control.add({{kBox}}, "", {});
  control.clear({});
  EXPECT_THAT(control.take(), SizeIs(3)) << "one to add, two to remove";
  control.clear({});
  EXPECT_THAT(control.take(), IsEmpty());
}

TEST(TargetControl, ResetForgetsAll) {
  TargetControl control;
  control.add({{kBox}}, "", {});
  control.reset();
  EXPECT_THAT(control.take(), IsEmpty());
  EXPECT_EQ(control.new_target(), 1u);
}

TEST(TargetControl, ThreadsGetIdsOfTheirOwn) {
  TargetControl control;
  constexpr int kThreads = 4, kEach = 200;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < kEach; ++n) {
        const auto id = control.add({{kBox}}, "", {});
        if (n % 2 == 0) control.remove(id, {});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(control.take(), SizeIs(kThreads * kEach * 3 / 2));
  EXPECT_EQ(control.new_target(), std::uint64_t{kThreads * kEach + 1});
}

}  // namespace
}  // namespace cltrack
