// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/region_cover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace cltrack::gst {
namespace {

using Value = std::function<int(int x, int y)>;

// All four components are alike.
template <typename Sample = std::uint8_t>
std::vector<int> mosaic_of(int width, int height, MosaicLook look, const Value& value) {
  Mosaic mosaic(MosaicGrid(width, height));
  std::vector<Sample> row(static_cast<std::size_t>(width) * 4);
  for (int y = 0; y < height; ++y) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = static_cast<Sample>(value(static_cast<int>(i / 4), y));
    }
    mosaic.add_row(y, row.data());
  }
  std::vector<int> result;
  for (int y = 0; y < height; ++y) {
    mosaic.write_row(y, look, row.data());
    for (std::size_t i = 0; i < row.size(); i += 4) {
      result.push_back(row[i]);
      for (std::size_t c = 1; c < 4; ++c) EXPECT_EQ(row[i], row[i + c]);
    }
  }
  return result;
}

constexpr MosaicLook kLooks[] = {MosaicLook::squares, MosaicLook::smooth};

TEST(MosaicGrid, HasAsManyCellsWhateverTheSize) {
  for (const int side : {24, 48, 60, 600, 6000}) {
    EXPECT_EQ(MosaicGrid(side, side).columns, 6) << side;
    EXPECT_EQ(MosaicGrid(side, side / 2).rows, 3) << side;
  }
  for (const int side : {25, 47, 599}) EXPECT_LE(MosaicGrid(side, side).columns, 6) << side;
}

TEST(MosaicGrid, CellsAreNeverSmall) {
  for (int width = 1; width < 60; ++width) {
    for (int height = 1; height < 60; ++height) {
      const MosaicGrid grid(width, height);
      ASSERT_GE(grid.columns, 1);
      ASSERT_GE(grid.rows, 1);
      ASSERT_GE(width / grid.columns, std::min(width, 4));
      ASSERT_GE(height / grid.rows, std::min(height, 4));
    }
  }
}

TEST(Mosaic, SquaresAreMeans) {
  // Two cells of 4 x 4.
  const auto result =
      mosaic_of(8, 4, MosaicLook::squares, [](int x, int y) { return x < 4 ? 10 * y : 100 + x; });
  for (int i = 0; i < 32; ++i) {
    // 15, and 105.5 rounded.
    EXPECT_EQ(result[static_cast<std::size_t>(i)], i % 8 < 4 ? 15 : 106) << i;
  }
}

TEST(Mosaic, SmoothGoesFromOneMeanToTheNext) {
  const auto result =
      mosaic_of(48, 8, MosaicLook::smooth, [](int x, int) { return x < 24 ? 40 : 200; });
  EXPECT_EQ(result[0], 40);
  EXPECT_EQ(result[47], 200);
  EXPECT_TRUE(std::is_sorted(result.begin(), result.begin() + 48));
  int steepest = 0;
  for (std::size_t x = 1; x < 48; ++x) steepest = std::max(steepest, result[x] - result[x - 1]);
  EXPECT_LE(steepest, 160 / 8 + 1) << "no edge is left";
}

TEST(Mosaic, FlatStaysFlatUpToTheEnds) {
  for (const MosaicLook look : kLooks) {
    for (const int side : {1, 3, 4, 7, 31, 100}) {
      for (const int value : {0, 1, 128, 254, 255}) {
        const auto result = mosaic_of(side, side, look, [=](int, int) { return value; });
        EXPECT_EQ(std::count(result.begin(), result.end(), value), side * side) << value;
      }
      for (const int value : {0, 1, 65534, 65535}) {
        const auto result =
            mosaic_of<std::uint16_t>(side, side, look, [=](int, int) { return value; });
        EXPECT_EQ(std::count(result.begin(), result.end(), value), side * side) << value;
      }
    }
  }
}

TEST(Mosaic, NothingButTheMeansIsLeft) {
  // The same cells, turned upside down in themselves: as different as pictures can be.
  const auto up = [](int x, int y) { return (x % 10) * 20 + (y % 10) * 5 + x / 10; };
  const auto down = [&](int x, int y) {
    return up(x / 10 * 10 + 9 - x % 10, y / 10 * 10 + 9 - y % 10);
  };
  for (const MosaicLook look : kLooks) {
    EXPECT_EQ(mosaic_of(60, 40, look, up), mosaic_of(60, 40, look, down));
  }
}

TEST(Mosaic, SumsOfLargeCellsFit) {
  const auto result = mosaic_of<std::uint16_t>(
      6 * 600, 600, MosaicLook::squares, [](int x, int) { return x % 600 < 300 ? 65535 : 65533; });
  EXPECT_EQ(result[0], 65534);
  EXPECT_EQ(result.back(), 65534);
}

}  // namespace
}  // namespace cltrack::gst
