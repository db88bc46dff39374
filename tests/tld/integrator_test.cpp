// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/integrator.h"

#include <gtest/gtest.h>

namespace cltrack {
namespace {

const BoundingBox kHere{100, 100, 40, 40};
const BoundingBox kThere{10, 10, 40, 40};
const BoundingBox kElsewhere{200, 10, 40, 40};

TEST(Integrator, WithoutAnythingThereIsNothing) {
  EXPECT_FALSE(integrate(std::nullopt, {}, {}, {}));
}

TEST(Integrator, TheTrackedBoxStandsWithoutDetections) {
  const auto result = integrate(Estimate{kHere, 0.4f, true}, {}, {}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->box, kHere);
  EXPECT_FLOAT_EQ(result->confidence, 0.4f);
  EXPECT_TRUE(result->valid);
}

TEST(Integrator, NearWindowsRefineTheTrackedBox) {
  // Weight 10 against one window 4 px to the right; the far one does not count.
  const std::vector<ScoredBox> near = {{{104, 100, 40, 40}, 0.5f}, {kThere, 0.5f}};
  const auto result = integrate(Estimate{kHere, 0.4f, true}, near, {}, {});
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->box.x, 100 + 4.0 / 11, 1e-4);
  EXPECT_FLOAT_EQ(result->box.y, 100);
}

TEST(Integrator, WhatIsLessLikeTheTargetDoesNotMoveIt) {
  const std::vector<ScoredBox> near = {{{104, 100, 40, 40}, 0.4f}};
  EXPECT_EQ(integrate(Estimate{kHere, 0.4f, true}, near, {}, {})->box, kHere);
  EXPECT_GT(integrate(Estimate{kHere, 0.3f, true}, near, {}, {})->box.x, kHere.x);
}

// Candidate windows around a place, enough to be believed.
std::vector<ScoredBox> around(const BoundingBox& box, int count = 3) {
  return std::vector<ScoredBox>(static_cast<std::size_t>(count), {box, 0.5f});
}

TEST(Integrator, JumpsToTheOneMoreConfidentCluster) {
  const std::vector<ScoredBox> accepted = {{kThere, 0.9f}};
  const auto result = integrate(Estimate{kHere, 0.4f, true}, around(kThere), accepted, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->box, kThere);
  EXPECT_FLOAT_EQ(result->confidence, 0.9f);
  EXPECT_FALSE(result->valid) << "not to be learnt from yet";
}

TEST(Integrator, JumpsOnlyByAMargin) {
  const auto jumps = [](float from, bool valid, float to, int support = 3) {
    const std::vector<ScoredBox> accepted = {{kThere, to}};
    return integrate(Estimate{kHere, from, valid}, around(kThere, support), accepted, {})->box ==
           kThere;
  };
  EXPECT_TRUE(jumps(0.5f, false, 0.61f));
  EXPECT_FALSE(jumps(0.5f, false, 0.59f));
  EXPECT_TRUE(jumps(0.5f, true, 0.71f)) << "a valid box is left for more";
  EXPECT_FALSE(jumps(0.5f, true, 0.69f));
  EXPECT_FALSE(jumps(0.1f, false, 0.39f)) << "not likely in itself";
  EXPECT_FALSE(jumps(0.1f, false, 0.9f, 2)) << "two windows are no support";
}

TEST(Integrator, DoesNotJumpBetweenSeveral) {
  const std::vector<ScoredBox> several = {{kThere, 0.9f}, {kElsewhere, 0.8f}};
  for (const BoundingBox& supported : {kThere, kElsewhere}) {
    const auto result = integrate(Estimate{kHere, 0.4f, true}, around(supported), several, {});
    EXPECT_NEAR(result->box.x, kHere.x, 1e-4);
  }
}

TEST(Integrator, AClusterAtTheTrackedBoxIsNoJump) {
  const std::vector<ScoredBox> accepted = {{{102, 100, 40, 40}, 0.9f}};
  EXPECT_TRUE(integrate(Estimate{kHere, 0.4f, true}, {}, accepted, {})->valid);
}

TEST(Integrator, LostTargetsAreFoundByASingleCluster) {
  const std::vector<ScoredBox> one = {{kThere, 0.9f}};
  const auto found = integrate(std::nullopt, {}, one, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->box, kThere);
  EXPECT_FALSE(found->valid);
  EXPECT_FALSE(integrate(std::nullopt, around(kThere),
                         std::vector<ScoredBox>{{kThere, 0.9f}, {kElsewhere, 0.8f}}, {}));
}

TEST(Cluster, OfNothingIsNothing) { EXPECT_TRUE(cluster({}, 0.5f).empty()); }

TEST(Cluster, AveragesWhatOverlaps) {
  const std::vector<ScoredBox> boxes = {
      {{0, 0, 20, 20}, 0.6f}, {{100, 100, 20, 20}, 0.9f}, {{4, 2, 20, 20}, 0.8f}};
  const std::vector<ScoredBox> clusters = cluster(boxes, 0.5f);
  ASSERT_EQ(clusters.size(), 2u);
  EXPECT_EQ(clusters[0].box, (BoundingBox{2, 1, 20, 20}));
  EXPECT_FLOAT_EQ(clusters[0].confidence, 0.7f);
  EXPECT_EQ(clusters[1].box, (BoundingBox{100, 100, 20, 20}));
}

TEST(Cluster, LinksThroughOthers) {
  // Neighbours overlap by 15/25, first and last do not meet.
  const std::vector<ScoredBox> chain = {{{0, 0, 20, 20}, 1},
                                        {{15, 0, 20, 20}, 1},
                                        {{10, 0, 20, 20}, 1},
                                        {{5, 0, 20, 20}, 1},
                                        {{20, 0, 20, 20}, 1}};
  EXPECT_EQ(cluster(chain, 0.6f).size(), 1u);
  EXPECT_EQ(cluster(chain, 0.61f).size(), 5u);
}

}  // namespace
}  // namespace cltrack
