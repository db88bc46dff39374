// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/scan_windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace cltrack {
namespace {

// Two targets of two sizes and of one, and one without any between them.
class ScanWindowsTest : public testing::Test {
 protected:
  ScanWindowsTest() {
    const std::array targets = {ScanTarget{first_, 2, 70}, ScanTarget{{}, 1, 60},
                                ScanTarget{second_, 0, 50}};
    windows_.assign(targets);
  }

  static ScanSize size(int width, std::uint32_t first, std::span<const int> xs,
                       std::span<const int> ys) {
    return {.width = width,
            .height = 10,
            .xs = xs,
            .ys = ys,
            .first = first,
            .pairs = kPairs,
            .minimum_variance = 1};
  }

  static constexpr std::array<PixelPair, 2> kPairs = {PixelPair{1, 2, 3, 4}, {5, 6, 7, 8}};
  static constexpr std::array kEdges = {0, 3, 5, 9, 20};
  const std::vector<int> many_ = std::vector<int>(3000, 1);
  const std::vector<ScanSize> first_ = {size(20, 0, kEdges, std::span(kEdges).first(2)),
                                        size(30, 10, std::span(kEdges).first(3), kEdges)};
  const std::vector<ScanSize> second_ = {size(40, 0, std::span(kEdges).subspan(1), many_)};
  ScanWindows windows_;
};

TEST_F(ScanWindowsTest, NumbersTheWindowsOfAllTargets) {
  EXPECT_EQ(windows_.count, 10u + 15 + 12000);
  const auto jobs = windows_.jobs.host_read();
  ASSERT_EQ(jobs.size(), 3u);
  const auto expect = [](const ScanJob& job, unsigned first, unsigned count, int first_size,
                         int size_count, int tables, unsigned least_score) {
    EXPECT_EQ(job.first, first);
    EXPECT_EQ(job.count, count);
    EXPECT_EQ(job.first_size, first_size);
    EXPECT_EQ(job.size_count, size_count);
    EXPECT_EQ(job.tables, tables);
    EXPECT_EQ(job.least_score, least_score);
  };
  expect(jobs[0], 0, 25, 0, 2, 2, 70);
  expect(jobs[1], 25, 0, 2, 0, 1, 60);
  expect(jobs[2], 25, 12000, 2, 1, 0, 50);
  const auto sizes = windows_.sizes.host_read();
  ASSERT_EQ(sizes.size(), 3u);
  EXPECT_EQ(sizes[0].job, 0);
  EXPECT_EQ(sizes[1].job, 0);
  EXPECT_EQ(sizes[2].job, 2);
  EXPECT_EQ(windows_.size(2).first, 25u);
  EXPECT_EQ(windows_.size(2).xs[0], 3);
  EXPECT_EQ(windows_.size(1).pairs[1].x2, 7);
}

TEST_F(ScanWindowsTest, FindsBoxes) {
  EXPECT_EQ(windows_.box(0), (BoundingBox{0, 0, 20, 10}));
  EXPECT_EQ(windows_.box(9), (BoundingBox{20, 3, 20, 10}));
  EXPECT_EQ(windows_.box(10), (BoundingBox{0, 0, 30, 10}));
  EXPECT_EQ(windows_.box(24), (BoundingBox{5, 20, 30, 10}));
  EXPECT_EQ(windows_.box(25), (BoundingBox{3, 1, 40, 10}));
  EXPECT_EQ(windows_.box(12024), (BoundingBox{20, 1, 40, 10}));
}

// Partitions come by the y of their first centre; by index, they cover each window once, in order.
TEST_F(ScanWindowsTest, DividesAllWindows) {
  const std::span<const WindowLayout> sizes = windows_.sizes.host_read();
  const auto size_of = [&](const WindowPart& part) {
    return sizes[static_cast<std::size_t>(part.size)];
  };
  std::vector<WindowPart> parts(windows_.parts.host_read().begin(),
                                windows_.parts.host_read().end());
  EXPECT_TRUE(std::ranges::is_sorted(parts, {}, [&](const WindowPart& part) {
    const WindowLayout size = size_of(part);
    const BoundingBox first = windows_.box(size.first + static_cast<std::uint32_t>(part.place));
    return first.y + first.height / 2;
  }));
  std::ranges::sort(parts, {}, &WindowPart::index);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].index, static_cast<int>(i));
    EXPECT_EQ(size_of(parts[i]).first + static_cast<std::uint32_t>(parts[i].place), next);
    EXPECT_GT(parts[i].count, 0);
    EXPECT_LE(parts[i].count, CLTRACK_PART_WINDOWS);
    next += static_cast<std::uint32_t>(parts[i].count);
  }
  EXPECT_EQ(next, windows_.count);
  next = 0;
  for (const ScanChunk& chunk : windows_.chunks()) {
    const WindowLayout& size = windows_.sizes.host_read()[chunk.size];
    const WindowRange& part = chunk.windows;
    EXPECT_EQ(part.first_column, 0);
    EXPECT_EQ(part.last_column, size.columns);
    EXPECT_EQ(size.first + static_cast<std::uint32_t>(part.first_row * size.columns), next);
    EXPECT_GT(part.last_row, part.first_row);
    EXPECT_LE((part.last_row - part.first_row) * size.columns, 2000);
    next = size.first + static_cast<std::uint32_t>(part.last_row * size.columns);
  }
  EXPECT_EQ(next, windows_.count);
  EXPECT_EQ(windows_.chunks().size(), 2u + 6);
}

// Of the first target the windows of its second size between some edges, of the last one nothing.
TEST_F(ScanWindowsTest, ChunksAreOfTheRegionAlone) {
  windows_.limit(std::array{ScanRegion{3, 3, 39, 30, 1, 1, 0, 0}, kWholeGrid,
                            ScanRegion{0, 0, 9, 9, 0, 7, 0, 0}});
  const std::vector<ScanChunk> chunks = windows_.chunks();
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].size, 1u);
  const WindowRange& part = chunks[0].windows;
  EXPECT_EQ(part.row_interval, 0);
  EXPECT_EQ(part.first_column, 1);  // from 3 to 33, and from 5 to 35
  EXPECT_EQ(part.last_column, 3);
  EXPECT_EQ(part.first_row, 1);  // from 3 to 13, up to from 20 to 30
  EXPECT_EQ(part.last_row, 5);
  windows_.limit(std::array{kWholeGrid, kWholeGrid, kWholeGrid});
  EXPECT_EQ(windows_.chunks().size(), 2u + 6);
}

// Beside a region, in all sizes, each to its last column.
TEST_F(ScanWindowsTest, ChunksHaveTheRowsWhoseTurnItIs) {
  for (const ScanRegion& region : {ScanRegion{3, 3, 39, 30, 1, 1, 3, 1},
                                   {3, 3, 39, 30, 1, 1, 5, 4},
                                   {0, 0, 0, 0, 0, 0, 2, 0},
                                   {0, 0, 99, 99, 0, 9, 4, 3},
                                   {3, 3, 39, 30, 1, 1, 1, 0},
                                   {3, 3, 39, 30, 1, 1, 7000, 6000}}) {
    SCOPED_TRACE(testing::Message() << region.row_turn << " of " << region.row_interval);
    windows_.limit(std::array{region, kWholeGrid, region});
    std::vector<std::uint32_t> expected, got;
    for (std::uint32_t window = 0; window < windows_.count; ++window) {
      const std::size_t index = windows_.size_of(window);
      const WindowLayout& size = windows_.sizes.host_read()[index];
      const int own = static_cast<int>(index) - (size.job == 0 ? 0 : 2);
      const int row = static_cast<int>(window - size.first) / size.columns;
      const BoundingBox box = windows_.box(window);
      const bool is_near =
          own >= region.first_size && own < region.first_size + region.size_count &&
          box.x >= static_cast<float>(region.left) && box.y >= static_cast<float>(region.top) &&
          box.right() <= static_cast<float>(region.right) &&
          box.bottom() <= static_cast<float>(region.bottom);
      if (is_near || row % region.row_interval == region.row_turn) expected.push_back(window);
    }
    for (const ScanChunk& chunk : windows_.chunks()) {
      const WindowLayout& size = windows_.sizes.host_read()[chunk.size];
      const std::size_t before = got.size();
      for (int row = chunk.windows.first_row; row < chunk.windows.last_row; ++row) {
        const WindowRange::Columns columns = chunk.windows.columns(row, size.columns);
        for (int column = columns.first; column < columns.last; ++column) {
          got.push_back(size.first + static_cast<std::uint32_t>(row * size.columns + column));
        }
      }
      EXPECT_GT(got.size(), before);
      EXPECT_LE(got.size(), before + 2000);
    }
    EXPECT_EQ(got, expected);
  }
}

// As many as its windows need, not its rows.
TEST_F(ScanWindowsTest, ChunksOfAFewRowsAreLarge) {
  const ScanRegion turn = {0, 0, 0, 0, 0, 0, 5, 3};
  windows_.limit(std::array{ScanRegion{}, ScanRegion{}, turn});
  EXPECT_EQ(windows_.chunks().size(), 2u);  // 600 rows of 4 windows
}

}  // namespace
}  // namespace cltrack
