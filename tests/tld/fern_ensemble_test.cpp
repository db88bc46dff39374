// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace cltrack {
namespace {

TEST(FernEnsemble, PairsAreAxisAlignedAndInsideTheWindow) {
  for (const int ferns : {1, 10, 16}) {
    TldConfig config;
    config.ferns = ferns;
    Random random(4);
    const FernEnsemble ensemble(config, random);
    const std::vector<PixelPair> pairs = ensemble.pairs_for(41, 23);
    ASSERT_EQ(std::ssize(pairs), ferns * 13);
    for (const PixelPair& pair : pairs) {
      ASSERT_TRUE(pair.x1 == pair.x2 || pair.y1 == pair.y2);
      for (const int x : {pair.x1, pair.x2}) ASSERT_TRUE(x >= 0 && x < 41);
      for (const int y : {pair.y1, pair.y2}) ASSERT_TRUE(y >= 0 && y < 23);
      // At least a tenth of the side: starting points are that far from the border.
      ASSERT_GE(std::abs(pair.x1 - pair.x2) * 23 + std::abs(pair.y1 - pair.y2) * 41, 2 * 23);
    }
  }
}

TEST(FernEnsemble, PairsScaleWithTheWindow) {
  Random random(4);
  const FernEnsemble ensemble({}, random);
  const auto small = ensemble.pairs_for(21, 21);
  const auto large = ensemble.pairs_for(41, 41);
  for (std::size_t i = 0; i < small.size(); ++i) {
    EXPECT_NEAR(large[i].x1, 2 * small[i].x1, 1);
    EXPECT_NEAR(large[i].y2, 2 * small[i].y2, 1);
  }
}

TEST(FernEnsemble, TheSeedDecides) {
  Random a(1), b(1), c(2);
  const auto same = [](const PixelPair& p, const PixelPair& q) {
    return p.x1 == q.x1 && p.y1 == q.y1 && p.x2 == q.x2 && p.y2 == q.y2;
  };
  const auto pa = FernEnsemble({}, a).pairs_for(50, 50);
  const auto pb = FernEnsemble({}, b).pairs_for(50, 50);
  const auto pc = FernEnsemble({}, c).pairs_for(50, 50);
  EXPECT_TRUE(std::equal(pa.begin(), pa.end(), pb.begin(), same));
  EXPECT_FALSE(std::equal(pa.begin(), pa.end(), pc.begin(), same));
}

TEST(FernEnsemble, IsAValue) {
  Random a(1), b(1);
  FernEnsemble one({}, a);
  const FernEnsemble other({}, b);
  EXPECT_EQ(one, other);
  one.tables().positives[3] = 1;
  EXPECT_NE(one, other);
}

TEST(FernEnsemble, ScoresAreSumsOfPosteriors) {
  EXPECT_EQ(score_of(1, 10), 10 * kPosteriorOne);
  EXPECT_EQ(negative_score(10), 5 * kPosteriorOne);
}

}  // namespace
}  // namespace cltrack
