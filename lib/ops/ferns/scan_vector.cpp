// SPDX-License-Identifier: LGPL-2.1-or-later
// The scan on vectors of bytes. Neighbouring windows of a row compare neighbouring pixels, so one
// comparison of two vectors gives a pair's bit for all columns of a block at once, whether or not
// the grid has a window in each of them. Blocks begin at windows that passed the variance filter.
#include <algorithm>
#include <cstring>

#include "core/processor.h"
#include "ops/ferns/scan.h"

namespace cltrack {
namespace {

// The windows of a row that passed the variance filter.
struct Row {
  std::vector<std::uint32_t> columns;  // of the grid
  std::vector<std::uint32_t> xs;       // left edges
  std::vector<std::size_t> blocks;     // first pixel column of each block
  std::vector<std::uint32_t> scores;
  std::vector<std::uint16_t> codes;  // fern by fern
  std::vector<std::uint8_t> high;    // of the current fern, for each pixel column in a block: the
  std::vector<std::uint8_t> low;     //   code's bits from 8 on, and those below 8
};

using Bytes16 [[gnu::vector_size(16)]] = std::uint8_t;
using Bytes32 [[gnu::vector_size(32)]] = std::uint8_t;

// Compares `pairs` pairs of pixels at each of sizeof(Bytes) neighbouring columns and shifts the
// results into one byte a column.
template <typename Bytes>
[[gnu::always_inline]] inline void compare(const std::uint8_t* window, const std::int32_t* offsets,
                                           int pairs, std::uint8_t* bits) {
  Bytes sum = {};
  for (int p = 0; p < pairs; ++p) {
    Bytes first, second;
    std::memcpy(&first, window + offsets[2 * p], sizeof(Bytes));
    std::memcpy(&second, window + offsets[2 * p + 1], sizeof(Bytes));
    const Bytes brighter = reinterpret_cast<Bytes>(first > second);  // 0, or all bits: -1
    sum = sum + sum - brighter;
  }
  std::memcpy(bits, &sum, sizeof(Bytes));
}

template <typename Bytes>
[[gnu::always_inline]] inline void compare_blocks(const std::uint8_t* pixels,
                                                  const std::int32_t* offsets, int pairs,
                                                  Row& row) {
  const int high = std::max(pairs - 8, 0);
  for (const std::size_t x : row.blocks) {
    compare<Bytes>(pixels + x, offsets, high, row.high.data() + x);
    compare<Bytes>(pixels + x, offsets + 2 * high, pairs - high, row.low.data() + x);
  }
}

struct Body {
  int lanes;
  void (*compare_blocks)(const std::uint8_t* pixels, const std::int32_t* offsets, int pairs,
                         Row& row);
};

void compare_16(const std::uint8_t* pixels, const std::int32_t* offsets, int pairs, Row& row) {
  compare_blocks<Bytes16>(pixels, offsets, pairs, row);
}
CLTRACK_AVX2 void compare_32(const std::uint8_t* pixels, const std::int32_t* offsets, int pairs,
                             Row& row) {
  compare_blocks<Bytes32>(pixels, offsets, pairs, row);
}

// Fills row.columns and row.blocks; `last_block` is the last column at which a block may start.
void filter(const IntegralView& integrals, const ScanSize& size, int y,
            const WindowRange::Columns& columns, int lanes, int last_block, Row& row) {
  row.columns.clear();
  row.xs.clear();
  row.blocks.clear();
  int covered = 0;  // columns under it are in a block
  const auto last_column = static_cast<std::size_t>(columns.last);
  for (auto c = static_cast<std::size_t>(columns.first); c < last_column; ++c) {
    const int x = size.xs[c];
    if (scaled_variance(integrals, x, y, size.width, size.height) < size.minimum_variance) continue;
    row.columns.push_back(static_cast<std::uint32_t>(c));
    row.xs.push_back(static_cast<std::uint32_t>(x));
    if (x < covered) continue;
    const int start = std::min(x, last_block);
    row.blocks.push_back(static_cast<std::size_t>(start));
    covered = start + lanes;
  }
}

// Appends the windows with the least score to the candidates.
void append(const Row& row, std::size_t ferns, std::uint32_t minimum_score, std::uint32_t row_index,
            CandidateList& candidates) {
  const std::size_t count = row.scores.size();
  const auto enough = [&](std::uint32_t score) { return score >= minimum_score; };
  const auto found =
      static_cast<std::size_t>(std::count_if(row.scores.begin(), row.scores.end(), enough));
  const std::size_t first = candidates.codes.size();
  candidates.codes.resize(first + found * ferns);
  std::uint16_t* codes = candidates.codes.data() + first;
  for (std::size_t i = 0; i < count; ++i) {
    if (!enough(row.scores[i])) continue;
    candidates.windows.push_back({row_index + row.columns[i], row.scores[i]});
    for (std::size_t f = 0; f < ferns; ++f) *codes++ = row.codes[f * count + i];
  }
}

}  // namespace

void vector::scan_rows(const ImageView& blurred, const IntegralView& integrals,
                       const ScanSize& size, const PosteriorView& tables,
                       std::uint32_t minimum_score, const WindowRange& windows,
                       CandidateList& candidates) {
  static const auto body = fastest_body<Body>({16, compare_16}, {32, compare_32});
  const int last_block = blurred.width - size.width + 1 - body.lanes;
  if (last_block < 0) {
    reference::scan_rows(blurred, integrals, size, tables, minimum_score, windows, candidates);
    return;
  }
  const std::vector<std::int32_t> offsets = linear_offsets(size.pairs, blurred.stride);
  const auto ferns = static_cast<std::size_t>(tables.ferns);
  const auto pairs = static_cast<std::size_t>(tables.pairs);
  Row row;
  row.high.resize(static_cast<std::size_t>(blurred.width));
  row.low.resize(static_cast<std::size_t>(blurred.width));
  for (int r = windows.first_row; r < windows.last_row; ++r) {
    const WindowRange::Columns columns = windows.columns(r, static_cast<int>(size.xs.size()));
    if (columns.count() <= 0) continue;
    const int y = size.ys[static_cast<std::size_t>(r)];
    filter(integrals, size, y, columns, body.lanes, last_block, row);
    const std::size_t count = row.columns.size();
    row.scores.assign(count, 0);
    row.codes.resize(count * ferns);
    for (std::size_t f = 0; f < ferns; ++f) {
      body.compare_blocks(blurred.row(y), offsets.data() + f * 2 * pairs, tables.pairs, row);
      const std::uint16_t* posteriors = tables.posteriors + (f << tables.pairs);
      std::uint16_t* codes = row.codes.data() + f * count;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t x = row.xs[i];
        codes[i] = static_cast<std::uint16_t>(row.high[x] << 8 | row.low[x]);
        row.scores[i] += posteriors[codes[i]];
      }
    }
    const std::uint32_t row_index =
        size.first + static_cast<std::uint32_t>(r * std::ssize(size.xs));
    append(row, ferns, minimum_score, row_index, candidates);
  }
}

}  // namespace cltrack
