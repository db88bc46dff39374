// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/fern_update.h"

#include <algorithm>
#include <array>

namespace cltrack {
namespace {

void count(const FernTableSpans& tables, const std::uint16_t* codes, bool positive) {
  for (int f = 0; f < tables.ferns; ++f) {
    const std::size_t leaf = (static_cast<std::size_t>(f) << tables.pairs) + codes[f];
    ++(positive ? tables.positives : tables.negatives)[leaf];
    tables.posteriors[leaf] = posterior(tables.positives[leaf], tables.negatives[leaf]);
  }
}

// Whether the score is at least `limit`. Most negatives are far below it: few ferns decide.
bool reaches(const FernTableSpans& tables, const std::uint16_t* codes, std::uint32_t limit) {
  std::uint32_t score = 0;
  auto left = static_cast<std::uint32_t>(tables.ferns) * kPosteriorOne;
  const std::uint16_t* posteriors = tables.posteriors.data();
  for (int f = 0; f < tables.ferns && score + left >= limit; ++f) {
    score += posteriors[codes[f]];
    left -= kPosteriorOne;
    posteriors += std::size_t{1} << tables.pairs;
  }
  return score >= limit;
}

}  // namespace

void reference::update_ferns(const FernTableSpans& tables, const FernSamples& samples,
                             std::span<const std::uint32_t> order, std::uint32_t positive_score,
                             std::uint32_t negative_score) {
  const PosteriorView view(tables.ferns, tables.pairs, tables.posteriors.data());
  for (const std::uint32_t sample : order) {
    const std::uint16_t* codes =
        samples.codes.data() + std::size_t{sample} * static_cast<std::size_t>(tables.ferns);
    const bool positive = samples.positive[sample] != 0;
    if (positive ? view.score(codes) <= positive_score : reaches(tables, codes, negative_score)) {
      count(tables, codes, positive);
    }
  }
}

void reference::order_samples(std::span<const std::uint32_t> places, std::uint32_t place_count,
                              int blocks, std::span<std::uint32_t> order) {
  const auto parts = static_cast<std::uint32_t>(blocks);
  const std::uint32_t block = (place_count + parts - 1) / parts;
  const auto below = [&](std::uint32_t place) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(places, place) - places.begin());
  };
  // Of each block, the samples that have not been taken yet.
  std::array<std::uint32_t, kMaxBlocks> next, end;
  for (std::uint32_t b = 0; b < parts; ++b) {
    next[b] = below(std::min(b * block, place_count));
    end[b] = below(std::min((b + 1) * block, place_count));
  }
  for (std::uint32_t& sample : order) {
    std::uint32_t first = UINT32_MAX, part = 0;  // the place within its part
    for (std::uint32_t b = 0; b < parts; ++b) {
      if (next[b] == end[b] || places[next[b]] - b * block >= first) continue;
      first = places[next[b]] - b * block;
      part = b;
    }
    sample = next[part]++;
  }
}

}  // namespace cltrack
