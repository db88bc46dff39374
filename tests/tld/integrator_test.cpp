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
  const std::vector<BoundingBox> near = {{104, 100, 40, 40}, kThere};
  const auto result = integrate(Estimate{kHere, 0.4f, true}, near, {}, {});
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->box.x, 100 + 4.0 / 11, 1e-4);
  EXPECT_FLOAT_EQ(result->box.y, 100);
}

TEST(Integrator, JumpsToTheOneMoreConfidentCluster) {
  const std::vector<ScoredBox> accepted = {{kThere, 0.9f}};
  const auto result = integrate(Estimate{kHere, 0.4f, true}, {}, accepted, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->box, kThere);
  EXPECT_FLOAT_EQ(result->confidence, 0.9f);
  EXPECT_FALSE(result->valid) << "not to be learnt from yet";
}

TEST(Integrator, DoesNotJumpToTheLessConfidentOrBetweenSeveral) {
  const auto less =
      integrate(Estimate{kHere, 0.95f, true}, {}, std::vector<ScoredBox>{{kThere, 0.9f}}, {});
  EXPECT_EQ(less->box, kHere);
  const std::vector<ScoredBox> several = {{kThere, 0.9f}, {kElsewhere, 0.8f}};
  EXPECT_EQ(integrate(Estimate{kHere, 0.4f, true}, {}, several, {})->box, kHere);
}

TEST(Integrator, AClusterAtTheTrackedBoxIsNoJump) {
  const std::vector<ScoredBox> accepted = {{{102, 100, 40, 40}, 0.9f}};
  EXPECT_TRUE(integrate(Estimate{kHere, 0.4f, true}, {}, accepted, {})->valid);
}

TEST(Integrator, LostTargetsAreFoundByASingleCluster) {
  const auto found = integrate(std::nullopt, {}, std::vector<ScoredBox>{{kThere, 0.9f}}, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->box, kThere);
  EXPECT_FALSE(found->valid);
  EXPECT_FALSE(
      integrate(std::nullopt, {}, std::vector<ScoredBox>{{kThere, 0.9f}, {kElsewhere, 0.8f}}, {}));
}

}  // namespace
}  // namespace cltrack
