// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/match/match_score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace cltrack {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 62;

MatchFound fraction(std::int64_t numerator, std::uint64_t energy) {
  return {numerator, energy, 0, 0};
}

TEST(MatchScore, OfSums) {
  // t = 1 2 3 6, f = 4 0 5 7
  const PatchSums patch = {16, 90, 61};
  const MatchFound ncc = match_fraction(Similarity::ncc, 4, 12, patch, 3, 9);
  EXPECT_EQ(ncc.numerator, 4 * 61 - 12 * 16);
  EXPECT_EQ(ncc.energy, 4u * 90 - 16 * 16);
  EXPECT_EQ(ncc.x, 3);
  EXPECT_EQ(ncc.y, 9);
  const std::uint64_t energy = match_energy(Similarity::ncc, 4, 12, 50);
  EXPECT_FLOAT_EQ(match_score(ncc, energy), static_cast<float>(52 / std::sqrt(56.0 * 104)));
  const MatchFound cosine = match_fraction(Similarity::cosine, 4, 12, patch, 0, 0);
  EXPECT_FLOAT_EQ(match_score(cosine, 50), static_cast<float>(61 / std::sqrt(50.0 * 90)));
}

TEST(MatchScore, IsZeroWhereOneIsFlat) {
  EXPECT_EQ(match_score(fraction(0, 0), 7), 0.0f);
  EXPECT_EQ(match_score(fraction(0, 5), 0), 0.0f);
  EXPECT_EQ(match_score(fraction(0, 0), 0), 0.0f);
}

TEST(MatchScore, OrdersBySign) {
  EXPECT_TRUE(scores_more(fraction(1, 100), fraction(0, 0)));
  EXPECT_TRUE(scores_more(fraction(0, 3), fraction(-1, 100)));
  EXPECT_TRUE(scores_more(fraction(-1, 100), fraction(-2, 100)));
  EXPECT_TRUE(scores_more(fraction(-2, 400), fraction(-2, 100)));
  EXPECT_FALSE(scores_more(fraction(0, 0), fraction(0, 9)));
  EXPECT_FALSE(scores_more(fraction(0, 9), fraction(0, 0)));
}

TEST(MatchScore, EqualFractionsAreEqual) {
  const std::uint64_t energy = 0x3fffffffffff1235;
  EXPECT_FALSE(scores_more(fraction(kMost, energy & ~3u), fraction(kMost / 2, (energy & ~3u) / 4)));
  EXPECT_FALSE(scores_more(fraction(kMost / 2, (energy & ~3u) / 4), fraction(kMost, energy & ~3u)));
}

TEST(MatchScore, TellsNeighboursApartThatDoublesDoNot) {
  for (const std::uint64_t energy : {std::uint64_t{1}, std::uint64_t{0x7ffffffffffffff0}}) {
    EXPECT_TRUE(scores_more(fraction(kMost + 1, energy), fraction(kMost, energy)));
    EXPECT_FALSE(scores_more(fraction(kMost, energy), fraction(kMost + 1, energy)));
    EXPECT_TRUE(scores_more(fraction(-kMost, energy), fraction(-kMost - 1, energy)));
    EXPECT_TRUE(scores_more(fraction(kMost, energy), fraction(kMost, energy + 1)));
  }
}

TEST(MatchScore, AgreesWithLongDoubles) {
  Random random(3);
  int compared = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto wide = [&] { return (std::uint64_t{random.bits()} << 31 ^ random.bits()) + 1; };
    const int shift = static_cast<int>(random.below(40));
    const MatchFound a = fraction(static_cast<std::int64_t>(wide() >> shift), wide());
    const MatchFound b = fraction(static_cast<std::int64_t>(wide() >> shift), wide());
    const auto score = [](const MatchFound& found) {
      return static_cast<long double>(found.numerator) /
             std::sqrt(static_cast<long double>(found.energy));
    };
    if (std::abs(score(a) - score(b)) <= 1e-12L * score(a)) continue;
    ++compared;
    EXPECT_EQ(scores_more(a, b), score(a) > score(b));
  }
  EXPECT_GT(compared, 19000);
}

TEST(MatchScore, AmongEqualsTheFirstInReadingOrder) {
  const MatchFound first = {5, 10, 8, 2}, same_row = {5, 10, 9, 2}, later = {5, 10, 0, 3};
  EXPECT_TRUE(is_better_match(first, same_row));
  EXPECT_TRUE(is_better_match(same_row, later));
  EXPECT_FALSE(is_better_match(later, first));
  EXPECT_FALSE(is_better_match(first, first));
}

TEST(MatchScore, KnowsWhatIsPerfect) {
  const std::uint64_t energy = 123456789;
  EXPECT_TRUE(is_perfect_match(fraction(3 * std::int64_t{energy}, 9 * energy), energy));
  EXPECT_FALSE(is_perfect_match(fraction(3 * std::int64_t{energy} - 1, 9 * energy), energy));
  EXPECT_FALSE(is_perfect_match(fraction(-std::int64_t{energy}, energy), energy));
}

}  // namespace
}  // namespace cltrack
