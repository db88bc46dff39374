// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "ops/ferns/scan.h"
#include "support/check_op.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/scan_setup.h"

namespace cltrack {
namespace {

using Candidates = std::vector<Candidate>;

TEST(SelectBest, SortsByScoreAndThenByIndex) {
  Candidates candidates = {{1, 10}, {2, 30}, {5, 20}, {6, 30}, {9, 20}};
  reference::select_best(candidates, 4);
  EXPECT_EQ(candidates, (Candidates{{2, 30}, {6, 30}, {5, 20}, {9, 20}}));
}

TEST(SelectBest, FewerThanAskedForAreAllKept) {
  Candidates candidates = {{1, 10}, {2, 30}};
  reference::select_best(candidates, 100);
  EXPECT_EQ(candidates, (Candidates{{2, 30}, {1, 10}}));
  candidates.clear();
  reference::select_best(candidates, 100);
  EXPECT_TRUE(candidates.empty());
}

TEST(SelectBest, OfEqualScoresTheFirstWindowsWin) {
  Candidates candidates;
  for (std::uint32_t i = 0; i < 1000; ++i) candidates.push_back({i, 7});
  reference::select_best(candidates, 3);
  EXPECT_EQ(candidates, (Candidates{{0, 7}, {1, 7}, {2, 7}}));
}

class SelectBestOnDevice : public test::DeviceTest {
 protected:
  SelectBestOnDevice() : setup_(test::noise_image(90, 60, 1), 12, 1, 1) {
    windows_.assign(setup_.sizes);
  }

  // Candidates are every other window, or as many as there are.
  void check(std::size_t candidate_count, const std::function<std::uint32_t(std::uint32_t)>& score,
             std::uint32_t minimum_score, std::size_t count) {
    SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(candidate_count));
    Candidates list;
    for (std::uint32_t i = 0; i < candidate_count; ++i) {
      list.push_back(
          {static_cast<std::uint32_t>(i * std::uint64_t{setup_.count()} / candidate_count),
           score(i)});
    }
    const ScanTarget target = {.sizes = setup_.sizes, .tables = 0, .least_score = minimum_score};
    windows_.assign({&target, 1});
    check(list, windows_, count);
  }

  // Candidates of all jobs, by rising index.
  void check(const Candidates& list, const ScanWindows& windows, std::size_t count) {
    const std::size_t jobs = windows.jobs.size();
    Candidates best(jobs * count, {UINT32_MAX, 0});
    std::vector<BoundingBox> boxes(jobs * count);
    std::vector<std::uint32_t> counts, found;
    for (std::size_t j = 0; j < jobs; ++j) {
      const ScanJob& job = windows.jobs.host_read()[j];
      Candidates own;
      for (const Candidate& c : list) {
        if (c.window >= job.first && c.window - job.first < job.count) own.push_back(c);
      }
      found.push_back(static_cast<std::uint32_t>(own.size()));
      std::erase_if(own, [&](const Candidate& c) { return c.score < job.least_score; });
      reference::select_best(own, count);
      counts.push_back(static_cast<std::uint32_t>(own.size()));
      for (std::size_t i = 0; i < own.size(); ++i) {
        best[j * count + i] = own[i];
        boxes[j * count + i] = windows.box(own[i].window);
      }
    }
    const auto op = [&](auto& best_windows, auto& best_boxes, auto& best_counts, auto& all_found) {
      BestWindows result = {std::move(best_windows), std::move(best_boxes), std::move(best_counts),
                            std::move(all_found)};
      select_best(*queue_, arrays_of(list), windows, count, result);
      best_windows = std::move(result.windows);
      best_boxes = std::move(result.boxes);
      best_counts = std::move(result.count);
      all_found = std::move(result.found);
    };
    test::check_op(*queue_, jobs == 0 ? 0 : 1, op, test::Output{best}, test::Output{boxes},
                   test::Output{counts}, test::Output{found});
  }

  static CandidateArrays arrays_of(const Candidates& list) {
    CandidateArrays candidates;
    candidates.resize(1, list.size() + 7);  // there is room for more
    std::ranges::copy(list, candidates.windows.host_write().begin());
    std::ranges::fill(candidates.count.host_write(), static_cast<std::uint32_t>(list.size()));
    return candidates;
  }

  // Jobs that have one to three of the sizes, the third none.
  std::vector<ScanTarget> targets(std::size_t jobs) const {
    const std::span<const ScanSize> sizes = setup_.sizes;
    std::vector<ScanTarget> all;
    for (const std::size_t from : {0, 2, 3, 1, 0, 0, 2}) {
      all.push_back({.sizes = sizes.subspan(from),
                     .least_score = static_cast<std::uint32_t>(all.size()) * kPosteriorOne});
    }
    all.resize(jobs);
    return all;
  }

  test::ScanSetup setup_;
  ScanWindows windows_;
  Random random_{3};
};

TEST_P(SelectBestOnDevice, AnyNumberOfCandidates) {
  const auto any = [&](std::uint32_t) { return random_.below(10 * kPosteriorOne + 1); };
  for (const std::size_t candidates : {0, 1, 2, 31, 100, 255, 256, 257, 1500}) {
    for (const std::size_t count : {1, 99, 100, 128, 1000}) {
      check(candidates, any, 0, count);
      check(candidates, any, 4 * kPosteriorOne, count);
    }
  }
}

TEST_P(SelectBestOnDevice, TiesGoToTheFirst) {
  check(
      1200, [](std::uint32_t) { return 77777u; }, 0, 100);
  check(
      1200, [](std::uint32_t) { return 0u; }, 0, 1000);
  check(
      1200, [&](std::uint32_t) { return 65536 + random_.below(3); }, 0, 500);
  check(
      1200, [&](std::uint32_t) { return random_.below(20) * 1024; }, 1024, 333);
}

TEST_P(SelectBestOnDevice, Extremes) {
  const std::uint32_t most = kMaxFerns * kPosteriorOne;
  check(
      300, [=](std::uint32_t i) { return i % 3 ? most : 0; }, 1, 1000);
  check(
      300, [=](std::uint32_t i) { return i % 3 ? most : most - 1; }, most, 150);
  check(
      300, [=](std::uint32_t i) { return most - i; }, 0, 100);
  check(
      300, [=](std::uint32_t i) { return i; }, 299, 100);
  check(
      300, [=](std::uint32_t i) { return i; }, 300, 100);
}

TEST_P(SelectBestOnDevice, BatchesEqualHost) {
  ASSERT_EQ(setup_.sizes.size(), 3u);
  for (const std::size_t jobs : {0, 1, 2, 7}) {
    ScanWindows windows;
    windows.assign(targets(jobs));
    for (const std::uint32_t share : {1u, 2u, 50u}) {
      Candidates list;
      for (std::uint32_t w = 0; w < windows.count; ++w) {
        if (random_.below(share) == 0) list.push_back({w, random_.below(10 * kPosteriorOne + 1)});
      }
      for (const std::size_t count : {1, 100, 1000}) {
        SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(list.size()));
        check(list, windows, count);
      }
    }
  }
}

// Some jobs have no candidate at all, among them the first and the last.
TEST_P(SelectBestOnDevice, BatchesWithCandidatesOfOneJob) {
  ScanWindows windows;
  windows.assign(targets(7));
  for (const std::size_t j : {0, 4, 6}) {
    const ScanJob& job = windows.jobs.host_read()[j];
    Candidates list;
    for (std::uint32_t i = 0; i < job.count; ++i) list.push_back({job.first + i, 300000 + i % 7});
    check(list, windows, 100);
  }
  check({}, windows, 100);
}

TEST_P(SelectBestOnDevice, RejectsOtherCounts) {
  CandidateArrays candidates;
  BestWindows best;
  for (const std::size_t count : {std::size_t{0}, kMaxBest + 1}) {
    test::expect_rejected([&] { select_best(*queue_, candidates, windows_, count, best); });
  }
}

CLTRACK_ON_EVERY_DEVICE(SelectBestOnDevice);

}  // namespace
}  // namespace cltrack
