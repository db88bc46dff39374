// SPDX-License-Identifier: LGPL-2.1-or-later
// Who owns a place, and what a target reports.
#include "tld/target.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/tld_frame.h"

namespace cltrack {
namespace {

constexpr BoundingBox kFirst = {20, 20, 40, 40}, kSecond = {220, 140, 40, 40},
                      kPlace = {120, 80, 40, 40}, kBeside = {132, 80, 40, 40},
                      kNear = {136, 80, 40, 40};  // overlaps kPlace by less than half
constexpr FilterQuality kGood = {.filter = 0.44f, .filter_psr = 20};
constexpr FilterQuality kLess = {.filter = 0.3f, .filter_psr = 20};
constexpr FilterQuality kBad = {.filter = 0.02f, .filter_psr = 4};

// Two targets, and where motion leads.
class TargetOwners : public testing::Test {
 protected:
  TargetOwners() { put(kFirst, kSecond); }

  // For so long that nothing speaks for them only because they were just put there.
  void put(const BoundingBox& first, const BoundingBox& second) {
    a_ = frame_.target(1, first);
    b_ = frame_.target(2, second);
    all_ = {a_.get(), b_.get()};
    for (Target* target : all_) target->begin(frame_.planes);
    for (int i = 0; i < 15; ++i) frame({{first, kGood}}, {{second, kGood}});
  }
  void find(const std::optional<Motion>& a, const std::optional<Motion>& b) {
    a_->set_found(a, std::vector<Detection>(), frame_.planes);
    b_->set_found(b, std::vector<Detection>(), frame_.planes);
    for (Target* target : all_) target->find_owners(all_);
    for (Target* target : all_) target->yield_to_owners();
  }
  void frame(const std::optional<Motion>& a, const std::optional<Motion>& b) {
    find(a, b);
    for (Target* target : all_) target->places_to_verify();
    for (Target* target : all_) target->decide(true);
    for (Target* target : all_) target->observe_others(all_);
  }
  // As the tracker does on a frame: what is found belongs to the place before.
  void move(Target& target, const BoundingBox& box) {
    target.move_to(box);
    target.set_found({}, std::vector<Detection>(), frame_.planes);
    target.begin(frame_.planes);
  }
  static bool yields(const Target& target) { return target.hypotheses().here->presence == 0; }
  // The numbers of those that yield.
  std::string yielding() const {
    return std::string(yields(*a_) ? "a" : "") + (yields(*b_) ? "b" : "");
  }

  test::TldFrame frame_{test::noise_image(320, 240, 1)};
  std::unique_ptr<Target> a_, b_;
  std::array<Target*, 2> all_ = {};
};

TEST_F(TargetOwners, OfTwoThatHaveComeTheLessProbableYields) {
  find({{kPlace, kGood}}, {{kBeside, kLess}});
  EXPECT_EQ(yielding(), "b");
  put(kFirst, kSecond);
  find({{kPlace, kLess}}, {{kBeside, kGood}});
  EXPECT_EQ(yielding(), "a");
  put(kFirst, kSecond);
  find({{kPlace, kLess}}, {{kNear, kGood}});
  EXPECT_EQ(yielding(), "") << "two places";
}

TEST_F(TargetOwners, TheOneThatWasLostBeforeYields) {
  frame({{kFirst, kGood}}, {});
  EXPECT_FALSE(b_->is_seen());
  find({{kPlace, kLess}}, {{kPlace, kGood}});
  EXPECT_EQ(yielding(), "b") << "more probable as it is";
}

TEST_F(TargetOwners, TheOneThatHasYieldedGoesOnToDoSo) {
  find({{kPlace, kGood}}, {{kPlace, kLess}});
  EXPECT_EQ(yielding(), "b");
  find({{kPlace, kLess}}, {{kPlace, kGood}});
  EXPECT_EQ(yielding(), "b");
  find({{kPlace, kLess}}, {{kSecond, kGood}});
  EXPECT_EQ(yielding(), "");
  find({{kPlace, kLess}}, {{kPlace, kGood}});
  EXPECT_EQ(yielding(), "a") << "it was elsewhere in between";
}

TEST_F(TargetOwners, OneThatIsNotSureYieldsAndOwnsNothing) {
  frame({{kFirst, kGood}}, {});  // the other one came there later
  find({{kPlace, kBad}}, {{kPlace, kGood}});
  EXPECT_EQ(yielding(), "a");
  find({{kPlace, kBad}}, {{kPlace, kBad}});
  EXPECT_EQ(yielding(), "");
}

TEST_F(TargetOwners, TargetsThatWereTogetherFromTheFirstAreLeftAlone) {
  put(kPlace, kBeside);
  for (int i = 0; i < 3; ++i) {
    frame({{kPlace, kGood}}, {{kPlace, kLess}});
    EXPECT_EQ(yielding(), "");
  }
  move(*b_, kSecond);
  for (int i = 0; i < 13; ++i) frame({{kPlace, kGood}}, {{kSecond, kGood}});
  find({{kPlace, kGood}}, {{kPlace, kLess}});
  EXPECT_EQ(yielding(), "") << "the other one was there when this one was put there";
  move(*a_, kFirst);
  frame({{kFirst, kGood}}, {{kSecond, kGood}});
  find({{kPlace, kGood}}, {{kPlace, kLess}});
  EXPECT_EQ(yielding(), "b");
  move(*b_, kPlace);
  find({{kPlace, kGood}}, {{kPlace, kLess}});
  EXPECT_EQ(yielding(), "") << "it was put there";
}

TEST_F(TargetOwners, WhatYieldsIsLost) {
  frame({{kPlace, kGood}}, {{kPlace, kLess}});
  EXPECT_EQ(b_->report().state, TrackState::lost);
  EXPECT_EQ(b_->report().reason, std::string("other-target"));
  EXPECT_EQ(a_->report().state, TrackState::tracking);
}

TEST_F(TargetOwners, APlaceOfAnotherIsNotTaken) {
  const auto presence_at = [&](const BoundingBox& box) {
    b_->verify(box, Motion{box, kGood});
    return b_->hypotheses().elsewhere.back().presence;
  };
  const BoundingBox part = {145, 85, 20, 20}, less = {151, 85, 20, 20};
  find({{kPlace, kGood}}, {{kSecond, kBad}});
  EXPECT_EQ(presence_at(kPlace), 0);
  EXPECT_EQ(presence_at(part), 0) << "a piece of it";
  EXPECT_GT(presence_at(less), 0);
  EXPECT_GT(presence_at(kSecond), 0);
  find({{kPlace, kBad}}, {{kSecond, kBad}});
  EXPECT_GT(presence_at(kPlace), 0) << "it is not surely there";
  find({{kPlace, kGood}}, {{kBeside, kLess}});
  EXPECT_EQ(presence_at(kPlace), 0) << "it has yielded";
  b_->verify({}, std::nullopt);
  EXPECT_EQ(b_->hypotheses().elsewhere.size(), 1u);
  b_->verify(kSecond, Motion{kSecond, kGood}, false);
  EXPECT_EQ(b_->hypotheses().elsewhere.back().presence, 0) << "it is not looked for there";
}

TEST_F(TargetOwners, WhereMotionLeadsNowhereThereIsNoOwner) {
  find({}, {{kPlace, kGood}});
  EXPECT_FALSE(a_->hypotheses().here);
  EXPECT_FALSE(yields(*b_));
}

// A window of the grid stands for the target.
TEST(Target, ReportsTheBoxThatItWasGiven) {
  test::TldFrame frame(test::noise_image(320, 240, 1));
  const BoundingBox given = {101, 63, 41, 40};
  const auto target = frame.target(1, given);
  EXPECT_NE(target->estimate()->box, given);
  const BoundingBox reported = target->report().box;
  EXPECT_GT(overlap(reported, given), 0.9999f);
  target->move_to(kPlace);
  EXPECT_EQ(target->report().box, kPlace);
}

TEST(Target, ABoxUnderHalfTheSmallestWindowIsLost) {
  test::TldFrame frame(test::noise_image(320, 240, 1));
  const auto reason_at = [&](float side) {
    const auto target = frame.target(1, kPlace);
    target->begin(frame.planes);
    const float least = target->grid().shortest_side() / 2;
    target->set_found(Motion{{kPlace.x, kPlace.y, 40, least + side}, kGood},
                      std::vector<Detection>(), frame.planes);
    target->places_to_verify();
    target->decide(true);
    return std::string(target->report().reason);
  };
  EXPECT_EQ(reason_at(0), "");
  EXPECT_EQ(reason_at(-0.1f), "size");
}

}  // namespace
}  // namespace cltrack
