// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/timing.h"

#include <gtest/gtest.h>

namespace cltrack {
namespace {

using Milliseconds = std::chrono::duration<float, std::milli>;

TEST(StageClock, StartsEmpty) {
  const StageStats stats = StageClock("motion").stats();
  EXPECT_EQ(stats.name, "motion");
  EXPECT_EQ(stats.calls, 0u);
  EXPECT_EQ(stats.median_ms, 0);
}

TEST(StageClock, AddsUpAndSorts) {
  StageClock clock("motion");
  for (const float ms : {5.0f, 1.0f, 9.0f, 3.0f, 2.0f}) clock.add(Milliseconds(ms));
  EXPECT_EQ(clock.stats().calls, 5u);
  EXPECT_DOUBLE_EQ(clock.stats().total_ms, 20);
  EXPECT_DOUBLE_EQ(clock.stats().median_ms, 3);
  EXPECT_DOUBLE_EQ(clock.stats().p99_ms, 5) << "the 99th of 100, not the largest";
  clock.reset();
  EXPECT_EQ(clock.stats().calls, 0u);
}

TEST(StageClock, ForgetsOldCallsInTheMedianOnly) {
  StageClock clock("motion");
  for (int i = 0; i < 1000; ++i) clock.add(Milliseconds(100));
  for (int i = 0; i < 512; ++i) clock.add(Milliseconds(1));
  EXPECT_DOUBLE_EQ(clock.stats().median_ms, 1);
  EXPECT_DOUBLE_EQ(clock.stats().total_ms, 100512);
}

TEST(StageClock, ForgetsTheLatestCallsOnDemand) {
  StageClock clock("motion");
  for (int i = 0; i < 10; ++i) clock.add(Milliseconds(100));
  clock.forget_latest();
  EXPECT_DOUBLE_EQ(clock.stats().median_ms, 0);
  clock.add(Milliseconds(1));
  EXPECT_DOUBLE_EQ(clock.stats().median_ms, 1);
  EXPECT_EQ(clock.stats().calls, 11u);
  EXPECT_DOUBLE_EQ(clock.stats().total_ms, 1001);
}

}  // namespace
}  // namespace cltrack
