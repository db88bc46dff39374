// SPDX-License-Identifier: LGPL-2.1-or-later
// The first two stages of the cascade over whole rows of windows: variance filter and ferns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/image_view.h"
#include "ops/fern_codes.h"
#include "ops/fern_tables.h"
#include "ops/integral.h"

namespace cltrack {

// All windows of one size and what the ferns look at in them.
struct ScanSize {
  int width = 0;
  int height = 0;
  std::span<const int> xs;             // left edges, rising
  std::span<const int> ys;             // top edges, rising
  std::uint32_t first = 0;             // index of the window at (xs[0], ys[0])
  std::span<const PixelPair> pairs;    // fern by fern
  std::uint64_t minimum_variance = 0;  // least scaled_variance() that passes
};

struct Candidate {
  std::uint32_t window = 0;
  std::uint32_t score = 0;  // sum of posteriors, in 1/kPosteriorOne

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// Appends to `candidates`, by rising index, the windows of the rows [first_row, last_row) of `size`
// whose variance passes and whose score is at least `minimum_score`. `blurred` is what the ferns
// see, `integrals` are of the picture itself; both of the same size.
void scan_rows(const ImageView& blurred, const Integrals& integrals, const ScanSize& size,
               const FernTables& tables, std::uint32_t minimum_score, int first_row, int last_row,
               std::vector<Candidate>& candidates);

}  // namespace cltrack
