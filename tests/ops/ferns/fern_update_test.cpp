// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/fern_tables.h"

#include <gtest/gtest.h>

#include <vector>

namespace cltrack {
namespace {

constexpr std::uint32_t kHalf = kPosteriorOne / 2;
const std::vector<std::uint32_t> first = {0};

TEST(FernUpdate, CountsOnlyMistakes) {
  FernTables tables(2, 3);                          // 2 ferns of 8 codes
  const std::vector<std::uint16_t> codes = {1, 2,   // learnt: nothing is known of it
                                            1, 2,   // known by now
                                            1, 5,   // negative, score 1 of 2: a mistake
                                            1, 2,   // score 1/2 + 1: known
                                            6, 7};  // negative with a low score
  const std::vector<std::uint8_t> positive = {1, 1, 0, 1, 0};
  const std::vector<std::uint32_t> order = {0, 1, 2, 3, 4};
  reference::update_ferns(tables, {codes, positive}, order, kPosteriorOne, kPosteriorOne);
  EXPECT_EQ(tables.positives[1], 1);
  EXPECT_EQ(tables.negatives[1], 1);
  EXPECT_EQ(tables.posteriors[1], kHalf);
  EXPECT_EQ(tables.posteriors[8 + 2], kPosteriorOne);
  EXPECT_EQ(tables.negatives[8 + 5], 1);
  EXPECT_EQ(tables.posteriors[8 + 5], 0);
  EXPECT_EQ(tables.negatives[6], 0);
}

TEST(FernUpdate, LimitsAreInclusive) {
  FernTables tables(1, 2);
  const std::vector<std::uint16_t> code = {3};
  const std::vector<std::uint8_t> yes = {1}, no = {0};
  reference::update_ferns(tables, {code, yes}, first, 0, 0);
  EXPECT_EQ(tables.positives[3], 1) << "a positive of score 0 is learnt up to 0";
  reference::update_ferns(tables, {code, yes}, first, kPosteriorOne - 1, 0);
  EXPECT_EQ(tables.positives[3], 1);
  reference::update_ferns(tables, {code, no}, first, 0, kPosteriorOne);
  EXPECT_EQ(tables.negatives[3], 1) << "a negative of full score is learnt from full score on";
  reference::update_ferns(tables, {code, no}, first, 0, kPosteriorOne);
  EXPECT_EQ(tables.negatives[3], 1) << "its score has fallen";
}

TEST(FernUpdate, TheOrderDecides) {
  // The second sample is only a mistake after the first one has been learnt.
  const std::vector<std::uint16_t> codes = {0, 0};
  const std::vector<std::uint8_t> positive = {1, 0};
  FernTables ahead(1, 1), behind(1, 1);
  reference::update_ferns(ahead, {codes, positive}, std::vector<std::uint32_t>{0, 1}, 0,
                          kPosteriorOne);
  reference::update_ferns(behind, {codes, positive}, std::vector<std::uint32_t>{1, 0}, 0,
                          kPosteriorOne);
  EXPECT_EQ(ahead.negatives[0], 1);
  EXPECT_EQ(behind.negatives[0], 0);
  EXPECT_EQ(behind.positives[0], 1);
}

TEST(FernUpdate, PosteriorsAreRoundedDown) {
  FernTables tables(1, 1);
  tables.positives[0] = 999999;
  const std::vector<std::uint16_t> code = {0};
  const std::vector<std::uint8_t> no = {0};
  reference::update_ferns(tables, {code, no}, first, 0, 0);
  EXPECT_EQ(tables.posteriors[0], kPosteriorOne - 1) << "not certain any more";
}

}  // namespace
}  // namespace cltrack
