// SPDX-License-Identifier: LGPL-2.1-or-later
// Targets that come, move and go from other threads while frames are processed. Worth most under a
// thread sanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/tld_tracker.h"
#include "support/scene.h"

namespace cltrack {
namespace {

constexpr int kWidth = 120;
constexpr int kHeight = 90;
constexpr int kFrames = 40;

BoundingBox place(std::uint64_t i) {
  return {10 + static_cast<float>(i % 50), 20 + static_cast<float>(i % 30), 24, 20};
}

// What an application does: it asks for targets, and uses the ids that it gets at once.
std::vector<std::uint64_t> interfere(Tracker& tracker, const std::atomic<bool>& done) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t round = 0; !done; ++round) {
    if (ids.size() < 3) {
      ids.push_back(tracker.add(place(round)));
      EXPECT_TRUE(tracker.move(ids.back(), place(round + 1))) << "the id is known at once";
    } else if (round % 5 == 0) {
      EXPECT_TRUE(tracker.remove(ids.front()));
      EXPECT_FALSE(tracker.move(ids.front(), place(round)));
      ids.erase(ids.begin());
    } else {
      EXPECT_TRUE(tracker.move(ids.back(), place(round)));
    }
    std::this_thread::yield();
  }
  return ids;
}

TEST(TldThreads, TargetsChangeWhileFramesAreProcessed) {
  const auto tracker = make_tld_tracker({.threads = 2});
  test::Scene scene(kWidth, kHeight);
  const std::uint64_t own = tracker->add(place(0));
  std::atomic<bool> done = false;
  std::vector<std::vector<std::uint64_t>> theirs(2);
  std::vector<std::thread> threads;
  for (auto& ids : theirs) {
    threads.emplace_back([&] { ids = interfere(*tracker, done); });
  }
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    const auto tracks = tracker->process(scene.draw(place(i)));
    EXPECT_TRUE(std::ranges::is_sorted(tracks, {}, &Track::id)) << i;
    ASSERT_FALSE(tracks.empty());
    EXPECT_EQ(tracks[0].id, own);
    EXPECT_EQ(tracks[0].age, i + 1);
    EXPECT_LE(tracks.size(), 7u);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();

  std::vector<std::uint64_t> expected = {own};
  for (const auto& ids : theirs) expected.insert(expected.end(), ids.begin(), ids.end());
  std::ranges::sort(expected);
  std::vector<std::uint64_t> ids;
  for (const Track& track : tracker->process(scene.draw(place(0)))) ids.push_back(track.id);
  EXPECT_EQ(ids, expected);
}

TEST(TldThreads, ClearFromAnotherThread) {
  const auto tracker = make_tld_tracker({.threads = 2});
  test::Scene scene(kWidth, kHeight);
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) {
      tracker->add(place(0));
      tracker->clear();
      std::this_thread::yield();
    }
  });
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_LE(tracker->process(scene.draw(place(i))).size(), 1u);
  done = true;
  other.join();
  EXPECT_TRUE(tracker->process(scene.draw(place(0))).empty());
}

}  // namespace
}  // namespace cltrack
