// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace cltrack {
namespace {

TEST(Random, IsTheSameEverywhere) {
  Random random(5489);  // the standard's own check of its generator starts so
  EXPECT_EQ(random.bits(), 3499211612u);
  for (int i = 1; i < 9999; ++i) random.bits();
  EXPECT_EQ(random.bits(), 4123659995u);
}

TEST(Random, StaysInRange) {
  Random random(1);
  std::vector<int> seen(7);
  for (int i = 0; i < 7000; ++i) {
    const float u = random.uniform(-2, 3);
    ASSERT_GE(u, -2);
    ASSERT_LT(u, 3);
    ++seen[random.below(7)];
  }
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
}

TEST(Random, ShufflesAllAndOnlyTheItems) {
  std::vector<int> items(50);
  for (int i = 0; i < 50; ++i) items[static_cast<std::size_t>(i)] = i;
  const std::vector<int> sorted = items;
  Random(3).shuffle(items);
  EXPECT_NE(items, sorted);
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, sorted);
}

TEST(Random, UsesAllBitsOfTheSeed) {
  EXPECT_NE(Random(1).bits(), Random(2).bits());
  EXPECT_NE(Random(1).bits(), Random(1 + (std::uint64_t{1} << 40)).bits());
}

}  // namespace
}  // namespace cltrack
