// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/integrator.h"

#include <gtest/gtest.h>

namespace cltrack {
namespace {

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
