// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/fern_update.h"

namespace cltrack {
namespace {

void count(FernTables& tables, const std::uint16_t* codes, bool positive) {
  for (int f = 0; f < tables.ferns; ++f) {
    const std::size_t leaf = (static_cast<std::size_t>(f) << tables.pairs) + codes[f];
    ++(positive ? tables.positives : tables.negatives)[leaf];
    const auto p = static_cast<std::uint64_t>(tables.positives[leaf]);
    const auto n = static_cast<std::uint64_t>(tables.negatives[leaf]);
    // Rounded down, so that less than certain is never kPosteriorOne.
    tables.posteriors[leaf] = static_cast<std::uint16_t>(p * kPosteriorOne / (p + n));
  }
}

}  // namespace

void update_ferns(FernTables& tables, const FernSamples& samples, std::uint32_t positive_score,
                  std::uint32_t negative_score) {
  const std::uint16_t* codes = samples.codes.data();
  for (const std::uint8_t positive : samples.positive) {
    const std::uint32_t score = tables.score(codes);
    if (positive ? score <= positive_score : score >= negative_score) {
      count(tables, codes, positive != 0);
    }
    codes += tables.ferns;
  }
}

}  // namespace cltrack
