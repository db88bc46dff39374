// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/owners.h"

#include <gtest/gtest.h>

#include <tuple>

namespace cltrack {
namespace {

using Claim = PlaceClaim<std::tuple<int, int>>;

TEST(OnePlace, IsSharedInOneOfTwoWays) {
  constexpr BoundingBox whole{0, 0, 40, 40}, part{10, 10, 10, 10}, beside{20, 0, 40, 40};
  constexpr OnePlace by_overlap{overlap, 0.5f}, by_smaller{share_of_smaller, 0.5f};
  EXPECT_TRUE(by_overlap.has(whole, whole));
  EXPECT_FALSE(by_overlap.has(whole, part));
  EXPECT_TRUE(by_smaller.has(whole, part));
  EXPECT_TRUE(by_smaller.has(part, whole));
  EXPECT_FALSE(by_smaller.has(whole, beside)) << "half is not more than half";
}

TEST(PlaceClaim, TheLowerRankYields) {
  const Claim low{{1, 2}}, high{{2, 1}};
  EXPECT_TRUE(yields(low, high));
  EXPECT_FALSE(yields(high, low));
  EXPECT_TRUE(yields(Claim{{2, 0}}, high)) << "the next counts where the first is the same";
  EXPECT_FALSE(yields(high, high)) << "nobody is better";
}

TEST(PlaceClaim, SureOnesOwnWhateverTheRank) {
  const Claim sure{{1, 1}}, unsure{{2, 2}, false};
  EXPECT_TRUE(yields(unsure, sure));
  EXPECT_FALSE(yields(sure, unsure));
  EXPECT_FALSE(yields(unsure, Claim{{3, 3}, false})) << "neither may keep the other off";
}

}  // namespace
}  // namespace cltrack
