// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

using ScanBody = decltype(&reference::scan_rows);

// Windows of one size on a picture, with tables of random posteriors.
struct Windows {
  Windows(int width, int height, int window_width, int window_height, int padding,
          std::uint64_t seed)
      : image(noise_image(width, height, seed, padding)), tables(10, 13), random(seed) {
    reference::integrate(image.view(), integrals);
    for (int x = 0; x + window_width <= width; x += 1 + x % 3) xs.push_back(x);
    for (int y = 0; y + window_height <= height; y += 2) ys.push_back(y);
    for (int i = 0; i < 130; ++i) {
      pairs.push_back(
          {below(window_width), below(window_height), below(window_width), below(window_height)});
    }
    for (std::uint16_t& posterior : tables.posteriors) {
      posterior = static_cast<std::uint16_t>(random.below(3) ? 0 : random.below(kPosteriorOne + 1));
    }
    size = {.width = window_width,
            .height = window_height,
            .xs = xs,
            .ys = ys,
            .first = 1000,
            .pairs = pairs};
  }

  std::int16_t below(int n) {
    return static_cast<std::int16_t>(random.below(static_cast<std::uint32_t>(n)));
  }

  // The definition, window by window.
  CandidateList expected(std::uint32_t minimum_score) const {
    CandidateList result;
    std::uint32_t index = size.first;
    for (const int y : ys) {
      for (const int x : xs) {
        std::array<std::uint16_t, 10> codes;
        reference::fern_codes(image.view(), x, y, pairs, 10, codes.data());
        const std::uint32_t score = PosteriorView(tables).score(codes.data());
        if (scaled_variance(integrals, x, y, size.width, size.height) >= size.minimum_variance &&
            score >= minimum_score) {
          result.windows.push_back({index, score});
          result.codes.insert(result.codes.end(), codes.begin(), codes.end());
        }
        ++index;
      }
    }
    return result;
  }

  CandidateList scanned(ScanBody scan, std::uint32_t minimum_score) const {
    CandidateList result;
    scan(image.view(), integrals, size, tables, minimum_score, all(), result);
    return result;
  }

  WindowRange all() const {
    return {0, static_cast<int>(ys.size()), 0, static_cast<int>(xs.size())};
  }

  PaddedImage image;
  Integrals integrals;
  FernTables tables;
  Random random;
  std::vector<int> xs, ys;
  std::vector<PixelPair> pairs;
  ScanSize size;
};

class Scan : public testing::TestWithParam<ScanBody> {};

INSTANTIATE_TEST_SUITE_P(Bodies, Scan, testing::Values(reference::scan_rows, vector::scan_rows),
                         [](const auto& body) { return body.index == 0 ? "host" : "vector"; });

TEST_P(Scan, EqualsItsDefinitionOnOddSizesAndStrides) {
  for (const auto& [width, height, w, h, padding] : {std::array{61, 47, 17, 13, 0},
                                                     {64, 48, 15, 15, 7},
                                                     {33, 29, 33, 29, 1},
                                                     {40, 15, 9, 15, 3},
                                                     {15, 60, 15, 20, 5},
                                                     {46, 20, 15, 15, 0},
                                                     {47, 20, 15, 15, 1},
                                                     {30, 20, 15, 15, 0},
                                                     {31, 20, 16, 15, 3},
                                                     {331, 31, 24, 20, 13}}) {
    Windows setup(width, height, w, h, padding, 11);
    for (const std::uint32_t minimum :
         {0u, 1u, kPosteriorOne, 2 * kPosteriorOne, 10 * kPosteriorOne}) {
      ASSERT_EQ(setup.scanned(GetParam(), minimum), setup.expected(minimum))
          << width << " from " << minimum;
    }
  }
}

TEST_P(Scan, AppliesTheVarianceFilter) {
  Windows setup(61, 47, 17, 13, 0, 12);
  std::vector<std::uint64_t> variances;
  for (const int y : setup.ys) {
    for (const int x : setup.xs)
      variances.push_back(scaled_variance(setup.integrals, x, y, 17, 13));
  }
  std::nth_element(variances.begin(), variances.begin() + std::ssize(variances) / 2,
                   variances.end());
  setup.size.minimum_variance = variances[variances.size() / 2];
  const auto result = setup.scanned(GetParam(), 0);
  EXPECT_EQ(result, setup.expected(0));
  EXPECT_EQ(result.windows.size(), variances.size() - variances.size() / 2)
      << "equal variance passes";
}

TEST_P(Scan, RowsCanBeScannedInParts) {
  Windows setup(61, 47, 17, 13, 0, 13);
  CandidateList parts;
  WindowRange part = setup.all();
  for (const int rows = part.last_row; part.first_row < rows; part.first_row = part.last_row) {
    part.last_row = std::min(part.first_row + 4, rows);
    GetParam()(setup.image.view(), setup.integrals, setup.size, setup.tables, kPosteriorOne, part,
               parts);
  }
  EXPECT_EQ(parts, setup.scanned(GetParam(), kPosteriorOne));
}

TEST_P(Scan, SomeColumnsOfSomeRowsAreThoseOfAll) {
  for (const int width : {61, 331, 19}) {  // the last one is too narrow for vectors
    Windows setup(width, 47, 17, 13, 3, 16);
    const CandidateList all = setup.scanned(GetParam(), kPosteriorOne);
    const auto columns = static_cast<int>(setup.xs.size()),
               rows = static_cast<int>(setup.ys.size());
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
      CandidateList expected, got;
      for (std::size_t i = 0; i < all.windows.size(); ++i) {
        const auto place = static_cast<int>(all.windows[i].window - setup.size.first);
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
      GetParam()(setup.image.view(), setup.integrals, setup.size, setup.tables, kPosteriorOne, part,
                 got);
      EXPECT_EQ(got, expected) << width << ", rows " << part.row_turn << " of "
                               << part.row_interval;
    }
  }
}

TEST_P(Scan, WorksWithFewerAndSmallerFerns) {
  Windows setup(61, 47, 17, 13, 0, 14);
  setup.tables = FernTables(3, 4);
  for (std::uint16_t& posterior : setup.tables.posteriors) {
    posterior = static_cast<std::uint16_t>(setup.random.below(kPosteriorOne + 1));
  }
  setup.pairs.resize(12);
  setup.size.pairs = setup.pairs;
  const auto result = setup.scanned(GetParam(), 0);
  ASSERT_EQ(result.windows.size(), setup.xs.size() * setup.ys.size());
  std::array<std::uint16_t, 3> codes;
  reference::fern_codes(setup.image.view(), setup.xs[0], setup.ys[0], setup.pairs, 3, codes.data());
  EXPECT_EQ(result.windows[0].score, PosteriorView(setup.tables).score(codes.data()));
  EXPECT_TRUE(std::equal(codes.begin(), codes.end(), result.codes.begin()));
}

// Vectors start at windows that pass the variance filter: what is left out must not shift them.
TEST_P(Scan, LeavesOutFlatParts) {
  Windows setup(200, 40, 12, 10, 5, 15);
  for (const int left : {0, 40, 100, 150}) {
    for (int y = 0; y < 40; ++y) {
      for (int x = left; x < left + 30; ++x) setup.image.at(x, y) = 77;
    }
  }
  reference::integrate(setup.image.view(), setup.integrals);
  setup.size.minimum_variance = 1;
  const auto result = setup.scanned(GetParam(), 0);
  EXPECT_EQ(result, setup.expected(0));
  EXPECT_LT(result.windows.size(), setup.xs.size() * setup.ys.size());
  EXPECT_FALSE(result.windows.empty());
}

}  // namespace
}  // namespace cltrack
