// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "cltrack/error.h"
#include "ops/ferns/scan.h"
#include "support/devices.h"
#include "support/scan_setup.h"

namespace cltrack {
namespace {

class SelectBestOnDevice : public test::DeviceTest {
 protected:
  SelectBestOnDevice() : setup_(test::noise_image(90, 60, 1), 12, 1, 1) {
    windows_.assign(setup_.sizes);
  }

  // Candidates are every other window, or as many as there are.
  void expect_equals_host(std::size_t candidate_count,
                          const std::function<std::uint32_t(std::uint32_t)>& score,
                          std::uint32_t minimum_score, std::size_t count) {
    SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(candidate_count));
    std::vector<Candidate> list;
    for (std::uint32_t i = 0; i < candidate_count; ++i) {
      list.push_back(
          {static_cast<std::uint32_t>(i * std::uint64_t{setup_.count()} / candidate_count),
           score(i)});
    }
    const ScanTarget target = {.sizes = setup_.sizes, .tables = 0, .least_score = minimum_score};
    windows_.assign({&target, 1});
    expect_equals_host(list, windows_, count);
  }

  // Candidates of all jobs, by rising index.
  void expect_equals_host(const std::vector<Candidate>& list, const ScanWindows& windows,
                          std::size_t count) {
    const std::size_t jobs = windows.jobs.size();
    BestWindows best;
    const test::Canary room(best.windows, jobs * count, *queue_);
    const test::Canary box_room(best.boxes, jobs * count, *queue_);
    const test::Canary count_room(best.count, jobs, *queue_);
    const std::uint64_t launches = queue_->count().launches;
    select_best(*queue_, arrays_of(list), windows, count, best);
    EXPECT_EQ(queue_->count().launches - launches, device_->is_host() || jobs == 0 ? 0u : 1u);
    EXPECT_TRUE(room.is_intact());
    EXPECT_TRUE(box_room.is_intact());
    EXPECT_TRUE(count_room.is_intact());

    for (std::size_t j = 0; j < jobs; ++j) {
      SCOPED_TRACE("job " + std::to_string(j));
      const ScanJob& job = windows.jobs.host_read()[j];
      std::vector<Candidate> own;
      for (const Candidate& c : list) {
        const bool is_own = c.window >= job.first && c.window - job.first < job.count;
        if (is_own && c.score >= job.least_score) own.push_back(c);
      }
      reference::select_best(own, count);
      ASSERT_EQ(best.count.host_read()[j], own.size());
      const auto got = best.windows.host_read().subspan(j * count, count);
      const auto boxes = best.boxes.host_read().subspan(j * count, count);
      for (std::size_t i = 0; i < count; ++i) {
        const bool used = i < own.size();
        ASSERT_EQ(got[i], used ? own[i] : (Candidate{UINT32_MAX, 0})) << i;
        ASSERT_EQ(boxes[i], used ? windows.box(own[i].window) : BoundingBox{}) << i;
      }
    }
  }

  static CandidateArrays arrays_of(const std::vector<Candidate>& list) {
    CandidateArrays candidates;
    candidates.resize(1, list.size() + 7);  // there is room for more
    std::ranges::copy(list, candidates.windows.host_write().begin());
    candidates.count.host_write()[0] = static_cast<std::uint32_t>(list.size());
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
      expect_equals_host(candidates, any, 0, count);
      expect_equals_host(candidates, any, 4 * kPosteriorOne, count);
    }
  }
}

TEST_P(SelectBestOnDevice, TiesGoToTheFirst) {
  expect_equals_host(
      1200, [](std::uint32_t) { return 77777u; }, 0, 100);
  expect_equals_host(
      1200, [](std::uint32_t) { return 0u; }, 0, 1000);
  expect_equals_host(
      1200, [&](std::uint32_t) { return 65536 + random_.below(3); }, 0, 500);
  expect_equals_host(
      1200, [&](std::uint32_t) { return random_.below(20) * 1024; }, 1024, 333);
}

TEST_P(SelectBestOnDevice, Extremes) {
  const std::uint32_t most = kMaxFerns * kPosteriorOne;
  expect_equals_host(
      300, [=](std::uint32_t i) { return i % 3 ? most : 0; }, 1, 1000);
  expect_equals_host(
      300, [=](std::uint32_t i) { return i % 3 ? most : most - 1; }, most, 150);
  expect_equals_host(
      300, [=](std::uint32_t i) { return most - i; }, 0, 100);
  expect_equals_host(
      300, [=](std::uint32_t i) { return i; }, 299, 100);
  expect_equals_host(
      300, [=](std::uint32_t i) { return i; }, 300, 100);
}

TEST_P(SelectBestOnDevice, BatchesEqualHost) {
  ASSERT_EQ(setup_.sizes.size(), 3u);
  for (const std::size_t jobs : {0, 1, 2, 7}) {
    ScanWindows windows;
    windows.assign(targets(jobs));
    for (const std::uint32_t share : {1u, 2u, 50u}) {
      std::vector<Candidate> list;
      for (std::uint32_t w = 0; w < windows.count; ++w) {
        if (random_.below(share) == 0) list.push_back({w, random_.below(10 * kPosteriorOne + 1)});
      }
      for (const std::size_t count : {1, 100, 1000}) {
        SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(list.size()));
        expect_equals_host(list, windows, count);
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
    std::vector<Candidate> list;
    for (std::uint32_t i = 0; i < job.count; ++i) list.push_back({job.first + i, 300000 + i % 7});
    expect_equals_host(list, windows, 100);
  }
  expect_equals_host({}, windows, 100);
}

TEST_P(SelectBestOnDevice, BatchesEqualTheirJobsAlone) {
  constexpr std::size_t kCount = 100;
  ScanWindows windows;
  windows.assign(targets(7));
  std::vector<Candidate> list;
  for (std::uint32_t w = 0; w < windows.count; w += 1 + random_.below(3)) {
    list.push_back({w, random_.below(10 * kPosteriorOne + 1)});
  }
  BestWindows together;
  select_best(*queue_, arrays_of(list), windows, kCount, together);
  for (std::size_t j = 0; j < windows.jobs.size(); ++j) {
    SCOPED_TRACE("job " + std::to_string(j));
    const ScanJob& job = windows.jobs.host_read()[j];
    std::vector<Candidate> own;
    for (const Candidate& c : list) {
      if (c.window >= job.first && c.window - job.first < job.count) {
        own.push_back({c.window - job.first, c.score});
      }
    }
    ScanWindows its;
    its.assign({&targets(7)[j], 1});
    BestWindows alone;
    select_best(*queue_, arrays_of(own), its, kCount, alone);
    ASSERT_EQ(alone.count.host_read()[0], together.count.host_read()[j]);
    for (std::uint32_t i = 0; i < alone.count.host_read()[0]; ++i) {
      const Candidate& best = alone.windows.host_read()[i];
      EXPECT_EQ(together.windows.host_read()[j * kCount + i],
                (Candidate{job.first + best.window, best.score}));
      EXPECT_EQ(together.boxes.host_read()[j * kCount + i], alone.boxes.host_read()[i]);
    }
  }
}

TEST_P(SelectBestOnDevice, RejectsOtherCounts) {
  CandidateArrays candidates;
  BestWindows best;
  EXPECT_THROW(select_best(*queue_, candidates, windows_, 0, best), Error);
  EXPECT_THROW(select_best(*queue_, candidates, windows_, kMaxBest + 1, best), Error);
}

CLTRACK_ON_EVERY_DEVICE(SelectBestOnDevice);

}  // namespace
}  // namespace cltrack
