// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/scan.h"

#include <gtest/gtest.h>

namespace cltrack {
namespace {

using Candidates = std::vector<Candidate>;

TEST(SelectBest, SortsByScoreAndThenByIndex) {
  Candidates candidates = {{1, 10}, {2, 30}, {5, 20}, {6, 30}, {9, 20}};
  reference::select_best(candidates, 4);
  EXPECT_EQ(candidates, (Candidates{{2, 30}, {6, 30}, {5, 20}, {9, 20}}));
}

TEST(SelectBest, FewerThanAskedForAreAllKept) {
  Candidates candidates = {{1, 10}, {2, 30}};
  reference::select_best(candidates, 100);
  EXPECT_EQ(candidates, (Candidates{{2, 30}, {1, 10}}));
  candidates.clear();
  reference::select_best(candidates, 100);
  EXPECT_TRUE(candidates.empty());
}

TEST(SelectBest, OfEqualScoresTheFirstWindowsWin) {
  Candidates candidates;
  for (std::uint32_t i = 0; i < 1000; ++i) candidates.push_back({i, 7});
  reference::select_best(candidates, 3);
  EXPECT_EQ(candidates, (Candidates{{0, 7}, {1, 7}, {2, 7}}));
}

}  // namespace
}  // namespace cltrack
