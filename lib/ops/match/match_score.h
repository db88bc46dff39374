// SPDX-License-Identifier: LGPL-2.1-or-later
// The similarity of a template and a patch, as a fraction of exact integers, and the order of such
// fractions. With n pixels, t those of the template and f those of the patch:
//
//   ncc      numerator  n sum(t f) - sum(t) sum(f)    energy  n sum(f f) - sum(f)^2
//   cosine   numerator  sum(t f)                      energy  sum(f f)
//
// and the score is numerator / sqrt(energy of the template * energy of the patch), or 0 if an
// energy is 0. Fractions are compared as integers of 192 bits, without rounding, so that devices
// without double find the same place.
#pragma once

#include <cstdint>

#include "cltrack/similarity.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// The sums of one patch that its score is computed from.
struct PatchSums {
  std::uint64_t sum = 0;
  std::uint64_t squares = 0;
  std::uint64_t product = 0;  // with the template
};

// Largest template: the numerators of 2^23 pixels (4096 x 2048; a 4K frame is smaller) fit 63 bits.
inline constexpr std::int64_t kMostMatchPixels = std::int64_t{1} << 23;
// Largest side: sums over a row or a column of squares fit 32 bits.
inline constexpr int kMostMatchSide = 65536;

// n sum(f f) - sum(f)^2, or sum(f f).
std::uint64_t match_energy(Similarity similarity, std::uint64_t pixels, std::uint64_t sum,
                           std::uint64_t squares);

MatchFound match_fraction(Similarity similarity, std::uint64_t pixels, std::uint64_t template_sum,
                          const PatchSums& patch, int x, int y);

// Whether the score of `a` is greater than that of `b`, exactly; places are ignored.
bool scores_more(const MatchFound& a, const MatchFound& b);

// The same, and among equal scores the first in reading order.
bool is_better_match(const MatchFound& a, const MatchFound& b);

// Whether the score is 1, exactly: nothing can be better.
bool is_perfect_match(const MatchFound& found, std::uint64_t template_energy);

// Never NaN.
float match_score(const MatchFound& found, std::uint64_t template_energy);

}  // namespace cltrack
