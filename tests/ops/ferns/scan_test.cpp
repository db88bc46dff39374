// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/scan.h"
#include <gtest/gtest.h>

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <vector>

#include "support/devices.h"
#include "support/errors.h"
#include "support/scan_setup.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;
using test::ScanSetup;

TEST(ScanRows, SomeColumnsOfSomeRowsAreThoseOfAll) {
  for (const int width : {61, 331, 19}) {  // the last one is too narrow for vectors
    ScanSetup setup(noise_image(width, 47, 16, 3), 17, 10, 13);
    const ScanSize& size = setup.sizes[0];
    const CandidateList all = setup.expected(kPosteriorOne, {size});
    const auto columns = static_cast<int>(size.xs.size()), rows = static_cast<int>(size.ys.size());
    for (const WindowRange& part : {WindowRange{2, 9, 1, columns - 1},
                                    {0, rows, columns / 2, columns},
                                    {3, 4, 1, 2},
                                    {3, 3, 0, columns},
                                    {0, rows, 1, 1},
                                    {2, 9, 1, columns - 1, 3, 2},
                                    {1, rows, 2, 2, 5, 4},
                                    {0, rows, 1, 2, rows, rows - 1},
                                    {0, rows, 1, 2, 100, 99},
                                    {4, 7, 0, 0, 1, 0}}) {
      CandidateList expected;
      for (std::size_t i = 0; i < all.windows.size(); ++i) {
        const auto place = static_cast<int>(all.windows[i].window - size.first);
        const int row = place / columns, column = place % columns;
        const bool has_turn = part.row_interval > 0 && row % part.row_interval == part.row_turn;
        if (row < part.first_row || row >= part.last_row ||
            (!has_turn && (column < part.first_column || column >= part.last_column))) {
          continue;
        }
        expected.windows.push_back(all.windows[i]);
        const auto code = all.codes.begin() + static_cast<std::ptrdiff_t>(i * 10);
        expected.codes.insert(expected.codes.end(), code, code + 10);
      }
      for (const auto body : {reference::scan_rows, vector::scan_rows}) {
        CandidateList got;
        body(setup.image.view(), setup.integrals, size, setup.tables, kPosteriorOne, part, got);
        EXPECT_EQ(got, expected) << width << ", rows " << part.row_turn << " of "
                                 << part.row_interval;
      }
    }
  }
}

// Targets of different sizes in one picture, each with tables of its own; the third has no windows.
struct Batch {
  static constexpr int kFerns = 10;
  static constexpr int kPairs = 8;

  explicit Batch(std::size_t jobs) {
    const PaddedImage image = noise_image(190, 61, 11, 3);
    tables.resize(kFerns, kPairs, static_cast<int>(jobs));
    for (std::size_t j = 0; j < jobs; ++j) {
      ScanSetup& setup = setups.emplace_back(image, std::array{13, 24, 15, 60, 14, 31, 17}[j],
                                             kFerns, kPairs, 100 + j);
      if (j == 2) setup.sizes.clear();
      for (ScanSize& size : setup.sizes) {
        if (j % 2 == 0) continue;
        size.minimum_variance =
            scaled_variance(setup.integrals, size.xs[2], size.ys[0], size.width, size.height);
      }
      // The last job's tables come first.
      tables.assign(static_cast<int>(jobs - 1 - j), setup.tables);
    }
  }

  std::vector<ScanTarget> targets() const {
    std::vector<ScanTarget> all;
    for (std::size_t j = 0; j < setups.size(); ++j) {
      all.push_back({.sizes = setups[j].sizes, .tables = static_cast<int>(setups.size() - 1 - j)});
    }
    return all;
  }

  // What is to be found, job by job.
  CandidateList expected(std::uint32_t minimum_score) const {
    CandidateList all;
    std::uint32_t first = 0;
    for (const ScanSetup& setup : setups) {
      const CandidateList own = setup.expected(minimum_score);
      for (const Candidate& c : own.windows) all.windows.push_back({first + c.window, c.score});
      all.codes.insert(all.codes.end(), own.codes.begin(), own.codes.end());
      first += setup.count();
    }
    return all;
  }

  std::deque<ScanSetup> setups;
  FernTableArrays tables;
};

// What a scan looks at.
struct Scanned {
  Scanned(Queue& queue, const ImageView& image) {
    plane.borrow(image);
    integrate(queue, plane, integrals);
  }
  Plane plane;
  IntegralArrays integrals;
};

CandidateList scanned_on(Queue& queue, const PaddedImage& image,
                         std::span<const ScanTarget> targets, const FernTableArrays& tables,
                         std::uint32_t minimum_score, std::span<const ScanRegion> regions = {}) {
  ScanWindows windows;
  windows.assign(targets);
  if (!regions.empty()) windows.limit(regions);
  const Scanned picture(queue, image.view());
  CandidateArrays candidates;
  ScanScratch scratch;
  const auto ferns = static_cast<std::size_t>(tables.ferns);
  const test::Canary room(candidates.windows, windows.count, queue);
  const test::Canary code_room(candidates.codes, windows.count * ferns, queue);
  const test::Canary count_room(candidates.count, 2, queue);
  scratch.room = windows.count;
  const std::uint64_t launches = queue.count().launches;
  scan(queue, picture.plane, picture.integrals, windows, tables, minimum_score, scratch,
       candidates);
  EXPECT_EQ(queue.count().launches - launches, queue.is_host() || windows.count == 0 ? 0u : 2u);
  EXPECT_TRUE(room.is_intact());
  EXPECT_TRUE(code_room.is_intact());
  EXPECT_TRUE(count_room.is_intact());
  return test::list_of(candidates);
}

// Of all candidates of a scan those that the regions of their jobs have.
CandidateList within(std::span<const ScanRegion> regions, const ScanWindows& windows,
                     const CandidateList& all) {
  CandidateList some;
  for (std::size_t i = 0; i < all.windows.size(); ++i) {
    const std::uint32_t window = all.windows[i].window;
    const std::size_t index = windows.size_of(window);
    const WindowLayout& size = windows.sizes.host_read()[index];
    const auto job = static_cast<std::size_t>(size.job);
    const int own = static_cast<int>(index) - windows.jobs.host_read()[job].first_size;
    const int row = static_cast<int>(window - size.first) / size.columns;
    const ScanRegion& region = regions[job];
    const BoundingBox box = windows.box(window);
    const bool is_near = own >= region.first_size && own - region.first_size < region.size_count &&
                         box.x >= static_cast<float>(region.left) &&
                         box.y >= static_cast<float>(region.top) &&
                         box.right() <= static_cast<float>(region.right) &&
                         box.bottom() <= static_cast<float>(region.bottom);
    const bool has_turn = region.row_interval > 0 && row % region.row_interval == region.row_turn;
    if (!is_near && !has_turn) continue;
    some.windows.push_back(all.windows[i]);
    const auto code = all.codes.begin() + static_cast<std::ptrdiff_t>(i * Batch::kFerns);
    some.codes.insert(some.codes.end(), code, code + Batch::kFerns);
  }
  return some;
}

class ScanOnDevice : public test::DeviceTest {
 protected:
  CandidateList scanned(ScanSetup& setup, std::uint32_t minimum_score) {
    FernTableArrays tables;
    tables.assign(setup.tables);
    const ScanTarget target{.sizes = setup.sizes};
    return scanned_on(*queue_, setup.image, {&target, 1}, tables, minimum_score);
  }

  void check(ScanSetup& setup, std::uint32_t minimum_score) {
    SCOPED_TRACE(testing::Message() << setup.image.width() << "x" << setup.image.height()
                                    << " from " << minimum_score);
    const CandidateList expected = setup.expected(minimum_score);
    EXPECT_EQ(scanned(setup, minimum_score), expected);
    if (!queue_->is_host()) return;
    EXPECT_EQ(setup.scanned(reference::scan_rows, minimum_score), expected);
    EXPECT_EQ(setup.scanned(vector::scan_rows, minimum_score), expected);
  }
};

TEST_P(ScanOnDevice, OddSizesAndStrides) {
  // Also of as many columns as vectors have, one more, and fewer.
  for (const auto& [width, height, side, padding] : {std::array{61, 47, 13, 0},
                                                     {64, 48, 15, 7},
                                                     {33, 29, 24, 1},
                                                     {33, 29, 33, 1},
                                                     {40, 6, 9, 3},
                                                     {15, 60, 15, 5},
                                                     {46, 20, 15, 0},
                                                     {47, 20, 15, 1},
                                                     {30, 20, 15, 0},
                                                     {31, 20, 16, 3},
                                                     {331, 61, 17, 13}}) {
    ScanSetup setup(noise_image(width, height, 11, padding), side, 10, 13);
    for (const std::uint32_t minimum :
         {0u, 1u, kPosteriorOne, 2 * kPosteriorOne, 10 * kPosteriorOne}) {
      check(setup, minimum);
    }
  }
}

TEST_P(ScanOnDevice, OneWindow) {
  ScanSetup setup(noise_image(9, 7, 1), 9, 10, 13);
  ASSERT_EQ(setup.count(), 1u);
  check(setup, 0);
  check(setup, 11 * kPosteriorOne);
}

TEST_P(ScanOnDevice, FewerAndSmallerFerns) {
  for (const auto& [ferns, pairs] : {std::pair{3, 4}, {16, 8}}) {
    ScanSetup setup(noise_image(90, 47, 2), 15, ferns, pairs);
    check(setup, 0);
    check(setup, kPosteriorOne);
  }
}

TEST_P(ScanOnDevice, VarianceFilter) {
  // Flat parts, noise, and one value of variance that just passes.
  PaddedImage image = noise_image(300, 60, 4, 5);
  for (const int left : {0, 40, 100, 240}) {
    for (int y = 0; y < 60; ++y) {
      for (int x = left; x < left + 30; ++x) image.at(x, y) = 77;
    }
  }
  ScanSetup setup(image, 14, 10, 13);
  const std::size_t all = setup.expected(0).windows.size();
  setup.sizes[0].minimum_variance = 1;
  for (std::size_t i = 1; i < setup.sizes.size(); ++i) {
    const ScanSize& size = setup.sizes[i];
    setup.sizes[i].minimum_variance =
        scaled_variance(setup.integrals, size.xs[2], size.ys[1], size.width, size.height);
  }
  const CandidateList expected = setup.expected(0);
  EXPECT_LT(expected.windows.size(), all);
  EXPECT_FALSE(expected.windows.empty());
  check(setup, 0);
}

TEST_P(ScanOnDevice, SumsBeyond32Bits) {
  ScanSetup setup(
      PaddedImage(700, 600).fill([](int x, int y) { return (x / 350 + y / 300) % 2 ? 255 : 0; }),
      500, 10, 13);
  for (ScanSize& size : setup.sizes) {
    const auto area =
        static_cast<std::uint64_t>(size.width) * static_cast<std::uint64_t>(size.height);
    size.minimum_variance = area * area / 4 * 255 * 254;
  }
  check(setup, 0);
}

TEST_P(ScanOnDevice, NoWindows) {
  ScanSetup setup(noise_image(90, 47, 5), 15, 10, 13);
  setup.sizes.clear();
  EXPECT_TRUE(scanned(setup, 0).windows.empty());
}

TEST_P(ScanOnDevice, KeepsItsArraysFromFrameToFrame) {
  ScanSetup first(noise_image(90, 47, 5), 15, 10, 13);
  ScanSetup second(noise_image(90, 47, 6), 15, 10, 13);
  second.tables = first.tables;
  ScanWindows windows;
  windows.assign(first.sizes);
  FernTableArrays tables;
  tables.assign(first.tables);
  CandidateArrays candidates;
  ScanScratch scratch;
  for (ScanSetup* setup : {&first, &second, &first}) {
    const Scanned picture(*queue_, setup->image.view());
    const std::uint64_t launches = queue_->count().launches;
    scan(*queue_, picture.plane, picture.integrals, windows, tables, kPosteriorOne, scratch,
         candidates);
    EXPECT_EQ(queue_->count().launches - launches, device_->is_host() ? 0u : 2u);
    EXPECT_EQ(test::list_of(candidates).windows,
              setup->expected(kPosteriorOne, first.sizes).windows);
  }
}

// A device may have room for less than is found: then it says so, and writes nothing beyond.
TEST_P(ScanOnDevice, WithoutRoomFindsAllTheSecondTime) {
  const Batch batch(3);
  const Scanned picture(*queue_, batch.setups.front().image.view());
  ScanWindows windows;
  windows.assign(batch.targets());
  const CandidateList all =
      scanned_on(*queue_, batch.setups.front().image, batch.targets(), batch.tables, kPosteriorOne);
  ASSERT_GT(all.windows.size(), 200u);
  for (const std::size_t room : {std::size_t{0}, std::size_t{100}, all.windows.size() - 1}) {
    CandidateArrays candidates;
    ScanScratch scratch;
    scratch.room = room;
    const test::Canary windows_room(candidates.windows, room, *queue_);
    const test::Canary scratch_room(scratch.windows, room, *queue_);
    const auto search = [&] {
      scan(*queue_, picture.plane, picture.integrals, windows, batch.tables, kPosteriorOne, scratch,
           candidates);
    };
    search();
    if (!queue_->is_host()) {
      EXPECT_TRUE(windows_room.is_intact());
      // What has been recorded leaves nothing of it.
      EXPECT_TRUE(queue_->recording() != nullptr || scratch_room.is_intact());
      EXPECT_EQ(candidates.count.host_read()[0], 0u);
      EXPECT_FALSE(make_room(candidates, scratch));
      search();
    }
    EXPECT_TRUE(make_room(candidates, scratch));
    EXPECT_EQ(test::list_of(candidates), all) << room;
  }
}

TEST_P(ScanOnDevice, BatchesEqualHost) {
  for (const std::size_t jobs : {1, 2, 7}) {
    const Batch batch(jobs);
    for (const std::uint32_t minimum : {0u, kPosteriorOne, 11 * kPosteriorOne}) {
      const CandidateList got =
          scanned_on(*queue_, batch.setups.front().image, batch.targets(), batch.tables, minimum);
      ASSERT_EQ(got, batch.expected(minimum)) << jobs << " from " << minimum;
    }
  }
}

TEST_P(ScanOnDevice, SmallGroups) {
  allow_small_groups_only();
  const Batch batch(7);
  EXPECT_EQ(
      scanned_on(*queue_, batch.setups.front().image, batch.targets(), batch.tables, kPosteriorOne),
      batch.expected(kPosteriorOne));
}

// Regions that cut rows and columns, that have one size or none, and that nothing fits into; alone
// and with rows that lie across them, in all turns, up to more turns than there are rows.
TEST_P(ScanOnDevice, RegionsAreWhatTheWholeScanFindsInThem) {
  const Batch batch(7);
  const std::vector<ScanTarget> targets = batch.targets();
  ScanWindows windows;
  windows.assign(targets);
  const std::vector<ScanRegion> near = {{30, 10, 121, 50, 0, 3, 0, 0}, kWholeGrid,
                                        {5, 5, 100, 60, 0, 3, 0, 0},   {0, 0, 190, 61, 0, 1, 0, 0},
                                        {77, 0, 130, 40, 1, 2, 0, 0},  {50, 20, 60, 25, 0, 3, 0, 0},
                                        {1, 1, 189, 60, 1, 1, 0, 0}};
  std::vector<std::vector<ScanRegion>> cases = {near};
  for (int turn = 0; turn < 5; ++turn) {
    std::vector<ScanRegion>& regions = cases.emplace_back(near);
    const std::array intervals = {5, 0, 4, 3, 1, 40, 2};
    for (std::size_t j = 0; j < regions.size(); ++j) {
      regions[j].row_interval = intervals[j];
      regions[j].row_turn = intervals[j] == 0 ? 0 : (7 * turn + 4) % intervals[j];
    }
    regions[5] = {0, 0, 0, 0, 0, 0, 4, 3 - turn % 4};  // rows alone
  }
  const CandidateList all = batch.expected(kPosteriorOne);
  for (const std::vector<ScanRegion>& regions : cases) {
    const CandidateList expected = within(regions, windows, all);
    ASSERT_LT(expected.windows.size(), all.windows.size());
    ASSERT_GT(expected.windows.size(), all.windows.size() / 10);
    EXPECT_EQ(scanned_on(*queue_, batch.setups.front().image, targets, batch.tables, kPosteriorOne,
                         regions),
              expected)
        << "turn " << regions[0].row_turn << " of " << regions[0].row_interval;
  }
}

TEST_P(ScanOnDevice, RejectsMissingTables) {
  const Batch batch(2);
  std::vector<ScanTarget> targets = batch.targets();
  for (const int slot : {2, -1}) {
    targets[1].tables = slot;
    ScanWindows windows;
    windows.assign(targets);
    const Scanned picture(*queue_, batch.setups.front().image.view());
    CandidateArrays candidates;
    ScanScratch scratch;
    test::expect_rejected([&] {
      scan(*queue_, picture.plane, picture.integrals, windows, batch.tables, 0, scratch,
           candidates);
    });
  }
}

CLTRACK_ON_EVERY_DEVICE(ScanOnDevice);

TEST(ScanOnHost, AnyNumberOfThreads) {
  const Batch batch(7);
  for (const std::uint32_t minimum : {0u, kPosteriorOne}) {
    const CandidateList expected = batch.expected(minimum);
    // Several threads share the copying, too.
    ASSERT_GT(expected.windows.size(), minimum == 0 ? 2u * 8192 : 2000u);
    for (const int threads : {1, 2, 5}) {
      const std::shared_ptr<Queue> queue = Device::host()->make_queue(threads);
      EXPECT_EQ(
          scanned_on(*queue, batch.setups.front().image, batch.targets(), batch.tables, minimum),
          expected)
          << threads;
    }
  }
}

// A scan that finds less than the one before leaves nothing of it.
TEST(ScanOnHost, HasNoMoreCandidatesThanItFound) {
  const std::shared_ptr<Queue> queue = Device::host()->make_queue();
  const Batch batch(7);
  const Scanned picture(*queue, batch.setups.front().image.view());
  CandidateArrays candidates;
  ScanScratch scratch;
  for (const std::size_t jobs : {7, 2, 0, 3}) {
    ScanWindows windows;
    windows.assign(std::span<const ScanTarget>(batch.targets()).first(jobs));
    scan(*queue, picture.plane, picture.integrals, windows, batch.tables, kPosteriorOne, scratch,
         candidates);
    std::size_t expected = 0;
    for (std::size_t j = 0; j < jobs; ++j) {
      expected += batch.setups[j].expected(kPosteriorOne).windows.size();
    }
    EXPECT_EQ(candidates.windows.size(), expected);
    EXPECT_EQ(candidates.codes.size(), expected * Batch::kFerns);
    EXPECT_EQ(candidates.count.host_read()[0], expected);
  }
}

}  // namespace
}  // namespace cltrack
