// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/side_by_side.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/random.h"

namespace cltrack {
namespace {

using Uses = std::vector<SideBySide::Use>;

SideBySide::Use reads(std::uint64_t at) { return {at, at + 10, false}; }
SideBySide::Use writes(std::uint64_t at) { return {at, at + 10, true}; }

TEST(SideBySide, ChainsThatShareWhatTheyReadGetAQueueEach) {
  SideBySide order;
  const Uses steps[] = {{reads(0), writes(100)},
                        {reads(0), writes(200)},
                        {reads(100), writes(110)},
                        {reads(200), writes(210)},
                        {reads(110), writes(100)}};
  std::vector<std::size_t> queues;
  for (const Uses& uses : steps) {
    const SideBySide::Place place = order.add(uses);
    EXPECT_FALSE(place.after);
    queues.push_back(place.queue);
  }
  EXPECT_EQ(queues, (std::vector<std::size_t>{0, 1, 0, 1, 0}));
}

TEST(SideBySide, WhatNeedsBothWaitsForTheOtherOnce) {
  SideBySide order;
  order.add(Uses{writes(100)});
  order.add(Uses{writes(200)});
  const SideBySide::Place both = order.add(Uses{reads(100), reads(200), writes(300)});
  EXPECT_EQ(both.queue, 1u);  // that of the later one
  EXPECT_EQ(both.after, 0u);
  const SideBySide::Place next = order.add(Uses{reads(100), reads(300)});
  EXPECT_EQ(next.queue, 1u);
  EXPECT_FALSE(next.after);
}

TEST(SideBySide, WritingWaitsForReadersOfAnyPartOfIt) {
  SideBySide order;
  order.add(Uses{writes(0)});
  order.add(Uses{reads(100), writes(200)});
  EXPECT_EQ(order.add(Uses{reads(0), writes(50)}).queue, 0u);
  const SideBySide::Place place = order.add(Uses{reads(200), {5, 105, true}});
  EXPECT_EQ(place.after.has_value() ? place.queue : 2u, 0u);
  EXPECT_EQ(place.after, 1u);
}

// Whatever the steps are, two of which one writes what the other one uses have an order: they are
// in one queue, or there is a wait between them.
TEST(SideBySide, KeepsTheOrderOfAllThatDependsOnIt) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    SideBySide order;
    std::vector<Uses> steps;
    std::vector<std::size_t> queues;
    std::vector<std::vector<bool>> before;  // steps that each one comes after
    for (std::size_t step = 0; step < 40; ++step) {
      Uses uses;
      for (auto rest = 1 + random.below(4); rest > 0; --rest) {
        const std::uint64_t begin = random.below(60);
        uses.push_back({begin, begin + 1 + random.below(6), random.below(3) == 0});
      }
      const SideBySide::Place place = order.add(uses);
      std::vector<bool> all(step, false);
      const auto follow = [&](std::size_t earlier) {
        all[earlier] = true;
        for (std::size_t i = 0; i < earlier; ++i) all[i] = all[i] || before[earlier][i];
      };
      for (std::size_t i = 0; i < step; ++i) {
        if (queues[i] == place.queue) follow(i);
      }
      if (place.after) {
        ASSERT_LT(*place.after, step);
        EXPECT_NE(queues[*place.after], place.queue);
        follow(*place.after);
      }
      for (std::size_t i = 0; i < step; ++i) {
        const bool depends = std::ranges::any_of(steps[i], [&](const SideBySide::Use& one) {
          return std::ranges::any_of(uses, [&](const SideBySide::Use& other) {
            return one.begin < other.end && other.begin < one.end &&
                   (one.is_written || other.is_written);
          });
        });
        EXPECT_TRUE(!depends || all[i]) << seed << ": " << i << " and " << step;
      }
      steps.push_back(uses);
      queues.push_back(place.queue);
      before.push_back(all);
    }
  }
}

}  // namespace
}  // namespace cltrack
