// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/timing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "cltrack/frame.h"

namespace cltrack {
namespace {

constexpr std::int64_t kMs = 1000000;

// What is said of frames at these times.
std::vector<int> steps(const std::vector<std::int64_t>& times) {
  FramePace pace;
  std::vector<int> all;
  for (const std::int64_t time : times) all.push_back(pace.observe(time, true));
  return all;
}

TEST(FramePace, IsOneAtAConstantRateHoweverItsTimesAreRounded) {
  FramePace pace;
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(pace.observe(i * 33333333LL + (i % 2) * 3 * kMs, true), 1) << i;  // 30 or 36 ms
  }
}

TEST(FramePace, CountsFrameIntervals) {
  EXPECT_EQ(steps({0, 40 * kMs, 80 * kMs, 200 * kMs, 240 * kMs, 640 * kMs}),
            (std::vector{1, 1, 1, 3, 1, 10}));
}

TEST(FramePace, TheRateMayChange) {
  FramePace pace;
  std::int64_t time = 0;
  for (int i = 0; i < 40; ++i) pace.observe(time += 20 * kMs, true);
  for (int i = 0; i < 15; ++i) {
    EXPECT_EQ(pace.observe(time += 60 * kMs, true), i < 8 ? 3 : 1) << i;
  }
  for (int i = 0; i < 15; ++i) EXPECT_EQ(pace.observe(time += 20 * kMs, true), 1) << i;
}

TEST(FramePace, SaysOneWhereNothingIsKnown) {
  EXPECT_EQ(steps({kNoTimestamp, kNoTimestamp, 0, 40, 80, kNoTimestamp, 400, 440}),
            (std::vector{1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(steps({100, 140, 140, 20, 60}), (std::vector{1, 1, 1, 1, 1})) << "times do not rise";
  FramePace pace;
  for (const int time : {0, 40, 80}) pace.observe(time, true);
  EXPECT_EQ(pace.observe(4000, false), 1) << "does not follow on";
  EXPECT_EQ(pace.observe(4120, true), 3);
  pace.reset();
  EXPECT_EQ(pace.observe(5000, true), 1);
  EXPECT_EQ(pace.observe(6000, true), 1);
}

TEST(FramePace, HasALimit) {
  EXPECT_EQ(steps({0, 1, 2, std::numeric_limits<std::int64_t>::max()}).back(),
            FramePace::kMostSteps);
}

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
