// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/hypothesis_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <vector>

#include "cltrack/tld_config.h"
#include "tld/target_state.h"

namespace cltrack {
namespace {

constexpr BoundingBox kHere = {100, 100, 40, 40};
constexpr BoundingBox kThere = {200, 20, 40, 40};

class HypothesisSelectionTest : public testing::Test {
 protected:
  HypothesisSelectionTest() {
    state_.put(kHere);
    state_.begin();
  }
  static Hypothesis at(const BoundingBox& box, float presence, float conservative = 0,
                       int support = 0) {
    return {.box = box,
            .presence = presence,
            .evidence = {.conservative = conservative, .support = support}};
  }
  std::vector<BoundingBox> propose(const std::optional<Hypothesis>& here,
                                   std::span<const ScoredBox> clusters) {
    return selection_.propose_candidates(here, state_.is_long_lost(), clusters);
  }
  // A frame on which the detector found kThere.
  Verdict frame(const Hypothesis& here, float there, std::vector<Hypothesis> verified = {}) {
    const ScoredBox cluster = {kThere, there};
    places_ = propose(here, {&cluster, 1});
    const Verdict verdict = selection_.decide(kHere, verified);
    state_.transition({.estimate = verdict.estimate, .presence = verdict.estimate->confidence});
    return verdict;
  }

  // Of the places, those that are not the detector's.
  std::vector<BoundingBox> other_sizes() const {
    std::vector<BoundingBox> sizes = places_;
    std::erase(sizes, kThere);
    return sizes;
  }

  TldConfig config_;
  TargetState state_{config_};
  HypothesisSelection selection_{config_};
  std::vector<BoundingBox> places_;
};

TEST_F(HypothesisSelectionTest, FollowsMotionThatIsSure) {
  const Verdict verdict = frame(at(kHere, 0.9f, 0.6f, 10), 0.9f);
  EXPECT_TRUE(places_.empty());
  EXPECT_EQ(verdict.estimate->box, kHere);
  EXPECT_TRUE(verdict.estimate->valid);
  EXPECT_FALSE(verdict.has_jumped);
}

TEST_F(HypothesisSelectionTest, LooksElsewhereWhenMotionIsNotSure) {
  const float little = config_.redetect_presence - 0.01f;
  const Verdict doubtful = frame(at(kHere, 0.3f), 0.9f, {at(kThere, little)});
  EXPECT_EQ(places_, std::vector{kThere});
  EXPECT_EQ(doubtful.estimate->box, kHere) << "not probable enough";
  EXPECT_FALSE(doubtful.estimate->valid);
  EXPECT_FALSE(frame(at(kHere, 0.3f), 0.9f, {at(kThere, little)}).has_jumped) << "nor twice";
  const Verdict verdict = frame(at(kHere, 0.3f), 0.9f, {at(kHere, 0.2f), at(kThere, 0.95f)});
  EXPECT_EQ(verdict.estimate->box, kThere);
  EXPECT_TRUE(verdict.has_jumped);
  EXPECT_FALSE(verdict.estimate->valid) << "nothing is learnt on the frame of a jump";
  EXPECT_FALSE(verdict.reinitialise_filter);
}

// A frame may deceive.
TEST_F(HypothesisSelectionTest, APlaceIsFoundTwiceBeforeItIsBelieved) {
  const Hypothesis here = at(kHere, 0.3f), there = at(kThere, 0.85f);
  const Hypothesis beside = at({220, 20, 40, 40}, 0.8f), far = at({20, 200, 40, 40}, 0.8f);
  const auto jumps = [&](const Hypothesis& place) { return frame(here, 0.9f, {place}).has_jumped; };
  EXPECT_FALSE(jumps(there));
  EXPECT_FALSE(jumps(far)) << "another place";
  EXPECT_FALSE(jumps(there)) << "not on two frames in a row";
  EXPECT_FALSE(frame(here, 0.9f).has_jumped);
  EXPECT_FALSE(jumps(there)) << "nor here";
  EXPECT_TRUE(jumps(beside)) << "it moves";
  EXPECT_FALSE(jumps(beside)) << "counts from the beginning again";
  selection_.reset();
  EXPECT_FALSE(jumps(beside));
  selection_.move_places(far.box.x - beside.box.x, far.box.y - beside.box.y);
  EXPECT_TRUE(jumps(far)) << "the camera has moved it there";
}

TEST_F(HypothesisSelectionTest, LooksAtTheBestPlacesElsewhere) {
  std::vector<ScoredBox> clusters;
  for (int i = 0; i < 5; ++i) {
    const float x = static_cast<float>(60 * i);
    clusters.push_back({{x, 0, 40, 40}, 0.5f + 0.05f * static_cast<float>(i)});
  }
  clusters.push_back({kHere, 0.99f});
  EXPECT_EQ(propose(at(kHere, 0.1f), clusters),
            (std::vector<BoundingBox>{clusters[4].box, clusters[3].box, clusters[2].box}));
  EXPECT_EQ(propose(std::nullopt, clusters).front(), kHere);
}

TEST_F(HypothesisSelectionTest, StaysWhileNothingIsProbable) {
  const Verdict verdict = frame(at({130, 100, 40, 40}, 0.1f), 0.9f, {at(kThere, 0.2f)});
  EXPECT_EQ(verdict.estimate->box, kHere);
  EXPECT_EQ(verdict.estimate->confidence, 0.1f);
  propose(std::nullopt, {});
  EXPECT_FALSE(selection_.decide(std::nullopt, {}).estimate);
}

// It answers to whatever is most like the target: in vain, unless that is as probable as a place
// that the detector found.
TEST_F(HypothesisSelectionTest, MotionHasToProveItselfAfterALoss) {
  const BoundingBox near = {110, 100, 40, 40};
  for (int i = 0; i < 4; ++i) frame(at(kHere, 0.1f), 0);
  EXPECT_EQ(frame(at(kThere, 0.6f), 0).estimate->box, kThere) << "not lost for long";
  for (int i = 0; i < 5; ++i) frame(at(kHere, 0.1f), 0);
  const float little = config_.redetect_presence - 0.01f;
  const Verdict refused = frame(at(kThere, little), 0.9f);
  EXPECT_EQ(refused.estimate->box, kHere);
  EXPECT_LT(refused.estimate->confidence, config_.lost_presence);
  EXPECT_THAT(places_, testing::Not(testing::Contains(kThere))) << "is where motion looks";
  EXPECT_EQ(frame(at(near, little), 0.9f).estimate->box, kHere) << "where it was, too";
  EXPECT_EQ(frame(at(near, config_.redetect_presence), 0.9f).estimate->box, near);
  for (int i = 0; i < 5; ++i) frame(at(kHere, 0.1f), 0);
  EXPECT_EQ(frame(at(kThere, 0.95f), 0).estimate->box, kThere);
}

// Then the detector is less sure of it, too.
TEST_F(HypothesisSelectionTest, LooksAtMorePlacesAfterALongLoss) {
  std::vector<ScoredBox> clusters;
  for (int i = 0; i < 9; ++i) {
    clusters.push_back(
        {{60.0f * static_cast<float>(i), 300, 40, 40}, 0.1f * static_cast<float>(i)});
  }
  EXPECT_EQ(propose(at(kHere, 0.1f), clusters).size(), 3u);
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(state_.is_long_lost());
    frame(at(kHere, 0.1f), 0);
  }
  EXPECT_TRUE(state_.is_long_lost());
  const std::vector<BoundingBox> places = propose(at(kHere, 0.1f), clusters);
  ASSERT_EQ(places.size(), 6u);
  EXPECT_EQ(places[0], clusters[8].box);
  EXPECT_EQ(places[5], clusters[3].box);
  EXPECT_EQ(propose(at(kHere, 0.95f), clusters).size(), 8u) << "and two sizes, though it is sure";
}

// Found again at a size that is not its own, it would be learnt so.
TEST_F(HypothesisSelectionTest, LooksAtOtherSizesAfterALoss) {
  const BoundingBox larger = {94, 94, 52, 52};
  for (int i = 0; i < 5; ++i) frame(at(kHere, 0.1f), 0);
  const Verdict found = frame(at(kHere, 0.9f), 0, {at(larger, 0.91f)});
  const std::vector<BoundingBox> sizes = other_sizes();
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_GT(overlap(sizes[0], larger), 0.999f);
  EXPECT_EQ(sizes[1].center_x(), kHere.center_x());
  EXPECT_LT(sizes[1].width, kHere.width);
  EXPECT_EQ(found.estimate->box, kHere) << "hardly more probable";
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(frame(at(kHere, 0.9f), 0, {at(larger, 0.91f)}).estimate->box, kHere) << i;
    EXPECT_EQ(other_sizes().size(), 2u) << i;
  }
  const Verdict larger_one = frame(at(kHere, 0.9f), 0, {at(larger, 0.93f)});
  EXPECT_EQ(larger_one.estimate->box, larger);
  EXPECT_FALSE(larger_one.estimate->valid) << "nothing is learnt on this frame";
  EXPECT_FALSE(frame(at(larger, 0.9f), 0).has_jumped);
  EXPECT_TRUE(other_sizes().empty()) << "long enough";
}

TEST_F(HypothesisSelectionTest, LooksAtOtherSizesAfterAJump) {
  frame(at(kHere, 0.3f), 0.9f, {at(kThere, 0.95f)});
  for (int i = 0; i < 10; ++i) {
    frame(at(kThere, 0.9f), 0.9f);
    EXPECT_EQ(other_sizes().size(), 2u) << i;
  }
  frame(at(kThere, 0.9f), 0.9f);
  EXPECT_TRUE(other_sizes().empty());
}

TEST_F(HypothesisSelectionTest, SizesOfNothingAreNotLookedAt) {
  for (int i = 0; i < 8; ++i) {
    frame(at(kHere, config_.hold_presence - 0.01f), 0);
    EXPECT_TRUE(other_sizes().empty());
  }
}

// The filter is sure of background; the detector sees the target.
TEST_F(HypothesisSelectionTest, ADriftIsNoticed) {
  const Hypothesis drifted = at(kHere, 0.95f, 0.45f);
  for (int i = 0; i < 10; ++i) frame(drifted, 0);
  for (int i = 1; i < config_.drift_frames; ++i) EXPECT_FALSE(frame(drifted, 0.7f).has_jumped);
  const Verdict verdict = frame(drifted, 0.7f);
  EXPECT_EQ(verdict.estimate->box, kThere);
  EXPECT_TRUE(verdict.reinitialise_filter);
  EXPECT_FALSE(frame(drifted, 0.7f).has_jumped) << "counts from the beginning again";
}

// The ferns often do not know a target that is blurred or turns.
TEST_F(HypothesisSelectionTest, AFewFramesWithoutSupportAreNoDrift) {
  for (int i = 0; i < 40; ++i) {
    const int support = i % 10 == 0 ? 1 : 0;
    EXPECT_FALSE(frame(at(kHere, 0.95f, 0.45f, support), 0.9f).has_jumped) << i;
  }
  EXPECT_TRUE(frame(at(kHere, 0.95f, 0.45f), 0.9f).reinitialise_filter) << "ten of them";
}

// Clutter of which a new piece is found on each frame is not what the filter has drifted off from.
TEST_F(HypothesisSelectionTest, OtherPlacesOnEachFrameAreNoDrift) {
  const Hypothesis here = at(kHere, 0.95f, 0.45f);
  const auto found_at = [&](const BoundingBox& box) {
    const ScoredBox cluster = {box, 0.8f};
    propose(here, {&cluster, 1});
    return selection_.decide(kHere, {}).reinitialise_filter;
  };
  for (int i = 0; i < 10; ++i) frame(here, 0);
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(found_at({300 + 45 * static_cast<float>(i % 4), 200, 40, 40})) << i;
  }
  // What moves is still the same place, and a frame on which nothing is found changes little.
  BoundingBox moving = {20, 200, 40, 40};
  for (int i = 1; i < config_.drift_frames; ++i, moving.x += 30) EXPECT_FALSE(found_at(moving));
  propose(here, {});
  EXPECT_FALSE(selection_.decide(kHere, {}).reinitialise_filter);
  EXPECT_FALSE(found_at(moving));
  moving.x += 30;
  EXPECT_TRUE(found_at(moving));
}

TEST_F(HypothesisSelectionTest, WhatIsSupportedHasNotDrifted) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(frame(at(kHere, 0.95f, 0.45f, 1), 0.9f).has_jumped) << "by ferns";
  }
  // Without windows for so long that it might have.
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(frame(at(kHere, 0.95f, 0.6f), 0.7f).has_jumped) << "by patches";
    EXPECT_FALSE(frame(at(kHere, 0.45f, 0.3f), 0.7f).reinitialise_filter) << "motion is not sure";
  }
}

TEST_F(HypothesisSelectionTest, MayProposeForAFrameTwice) {
  const ScoredBox cluster = {kThere, 0.7f};
  for (int i = 0; i < 10; ++i) frame(at(kHere, 0.95f, 0.45f), 0);
  for (int i = 0; i < 10; ++i) propose(at(kHere, 0.95f, 0.45f), {&cluster, 1});
  EXPECT_FALSE(selection_.decide(kHere, {}).has_jumped);
}

// Neither for nor against another place does it count that nothing was looked for.
TEST_F(HypothesisSelectionTest, FramesWithoutAScanLeaveDriftAsItIs) {
  const Hypothesis drifted = at(kHere, 0.9f, 0.3f);
  for (int i = 0; i < 10; ++i) frame(drifted, 0);
  for (int i = 1; i < config_.drift_frames; ++i)
    EXPECT_FALSE(frame(drifted, 0.9f).reinitialise_filter);
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(selection_.propose_candidates(drifted, false).empty());
    EXPECT_FALSE(selection_.decide(kHere, {}).reinitialise_filter);
  }
  EXPECT_TRUE(frame(drifted, 0.9f).reinitialise_filter);
}

}  // namespace
}  // namespace cltrack
