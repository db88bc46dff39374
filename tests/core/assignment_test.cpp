// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace cltrack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

// `gains`: rows x columns, row by row.
std::vector<std::optional<int>> assign_all(const std::vector<float>& gains, int rows, int columns) {
  std::vector<AssignmentPair> pairs;
  for (int i = 0; i < rows * columns; ++i) {
    pairs.push_back({i / columns, i % columns, gains[static_cast<std::size_t>(i)]});
  }
  return assign(pairs, rows, columns);
}

float gain_of(const std::vector<float>& gains, int columns,
              const std::vector<std::optional<int>>& result) {
  float sum = 0;
  std::set<int> used;
  for (std::size_t row = 0; row < result.size(); ++row) {
    if (!result[row]) continue;
    EXPECT_TRUE(used.insert(*result[row]).second) << "a column twice";
    const float gain =
        gains[row * static_cast<std::size_t>(columns) + static_cast<std::size_t>(*result[row])];
    EXPECT_GT(gain, 0) << "what does not belong together";
    sum += gain;
  }
  return sum;
}

// All ways to do it.
float best_gain(const std::vector<float>& gains, int rows, int columns, int row,
                std::vector<bool>& used) {
  if (row == rows) return 0;
  float best = best_gain(gains, rows, columns, row + 1, used);
  for (int c = 0; c < columns; ++c) {
    const auto column = static_cast<std::size_t>(c);
    const float gain = gains[static_cast<std::size_t>(row * columns) + column];
    if (used[column] || gain <= 0) continue;
    used[column] = true;
    best = std::max(best, gain + best_gain(gains, rows, columns, row + 1, used));
    used[column] = false;
  }
  return best;
}

TEST(Assignment, TheSumCountsNotTheFirstChoice) {
  // Greedy takes .9, which leaves .1 for the other.
  EXPECT_THAT(assign_all({.9f, .8f, .8f, .1f}, 2, 2), ElementsAre(Optional(1), Optional(0)));
}

TEST(Assignment, WhatDoesNotBelongTogetherStaysAlone) {
  EXPECT_THAT(assign_all({0, -1, 0, .5f}, 2, 2), ElementsAre(std::nullopt, Optional(1)));
}

TEST(Assignment, NothingIsAllowed) {
  EXPECT_THAT(assign({}, 0, 0), IsEmpty());
  EXPECT_THAT(assign({}, 0, 5), IsEmpty());
  EXPECT_THAT(assign({}, 2, 0), ElementsAre(std::nullopt, std::nullopt));
}

TEST(Assignment, IsTheBestOfAllWays) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const int rows = static_cast<int>(random() % 6), columns = static_cast<int>(random() % 6);
    std::vector<float> gains;
    for (int i = 0; i < rows * columns; ++i) {
      gains.push_back(random() % 3 == 0 ? 0.0f : static_cast<float>(random() % 100) / 100);
    }
    std::vector<bool> used(static_cast<std::size_t>(columns));
    EXPECT_NEAR(gain_of(gains, columns, assign_all(gains, rows, columns)),
                best_gain(gains, rows, columns, 0, used), 1e-4)
        << rows << " x " << columns;
  }
}

// As many as a frame has, all in one crowd: each row may have one of ten columns.
TEST(Assignment, ManyThatContendAreAssigned) {
  constexpr int kMany = 1000;
  std::mt19937 random(1);
  std::vector<AssignmentPair> pairs;
  for (int row = 0; row < kMany; ++row) {
    for (int next = 0; next < 10; ++next) {
      const float gain = next == 3 ? 1 : 0.1f + static_cast<float>(random() % 400) / 1000;
      pairs.push_back({row, (row + next) % kMany, gain});
    }
  }
  const auto columns = assign(pairs, kMany, kMany);
  for (int row = 0; row < kMany; ++row) {
    EXPECT_EQ(columns[static_cast<std::size_t>(row)], (row + 3) % kMany);
  }
}

}  // namespace
}  // namespace cltrack
