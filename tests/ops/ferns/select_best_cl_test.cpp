// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <functional>

#include "cltrack/error.h"
#include "ops/ferns/select_best.h"
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
    CandidateArrays candidates;
    candidates.resize(1, candidate_count + 7);  // there is room for more
    std::copy(list.begin(), list.end(), candidates.windows.host_write().begin());
    candidates.count.host_write()[0] = static_cast<std::uint32_t>(candidate_count);

    BestWindows best;
    const test::Canary room(best.windows, count, *queue_);
    const test::Canary box_room(best.boxes, count, *queue_);
    const test::Canary count_room(best.count, 1, *queue_);
    select_best(*queue_, candidates, windows_, minimum_score, count, best);
    EXPECT_TRUE(room.is_intact());
    EXPECT_TRUE(box_room.is_intact());
    EXPECT_TRUE(count_room.is_intact());

    std::erase_if(list, [&](const Candidate& c) { return c.score < minimum_score; });
    select_best(list, count);
    ASSERT_EQ(best.count.host_read()[0], list.size());
    const auto got = best.windows.host_read();
    const auto boxes = best.boxes.host_read();
    for (std::size_t i = 0; i < count; ++i) {
      const bool used = i < list.size();
      ASSERT_EQ(got[i], used ? list[i] : (Candidate{UINT32_MAX, 0})) << i;
      ASSERT_EQ(boxes[i], used ? windows_.box(list[i].window) : BoundingBox{}) << i;
    }
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

TEST_P(SelectBestOnDevice, RejectsOtherCounts) {
  CandidateArrays candidates;
  BestWindows best;
  EXPECT_THROW(select_best(*queue_, candidates, windows_, 0, 0, best), Error);
  EXPECT_THROW(select_best(*queue_, candidates, windows_, 0, kMaxBest + 1, best), Error);
}

CLTRACK_ON_EVERY_DEVICE(SelectBestOnDevice);

}  // namespace
}  // namespace cltrack
