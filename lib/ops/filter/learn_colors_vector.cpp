// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <vector>

#include "core/processor.h"
#include "ops/filter/color_share.h"
#include "ops/filter/learn_colors.h"

namespace cltrack::vector {
namespace {

[[gnu::always_inline]] inline void count(const std::uint16_t* bins, int side, const SampleBox& box,
                                         std::int32_t* counts) {
  for (int y = box.top; y < box.bottom; ++y) {
    const std::uint16_t* row = bins + y * side;
    for (int x = box.left; x < box.right; ++x) ++counts[row[x]];
  }
}

// At a rate of 1, nothing is kept. Leaves counts of 0.
template <bool kKeeps>
[[gnu::always_inline]] inline void follow(std::int32_t* counts, float keep, float of_sample,
                                          float* shares) {
  for (int i = 0; i < kColorBins; ++i) {
    shares[i] = new_share(kKeeps ? keep * shares[i] : 0, counts[i], of_sample);
    counts[i] = 0;
  }
}

[[gnu::always_inline]] inline void follow(std::int32_t* counts, float rate, float of_sample,
                                          float* shares) {
  const float keep = 1 - rate;
  if (keep > 0) {
    follow<true>(counts, keep, of_sample, shares);
  } else {
    follow<false>(counts, keep, of_sample, shares);
  }
}

[[gnu::always_inline]] inline void learn(const std::uint16_t* bins, int side,
                                         const ColorLearnJob& job, float* histograms,
                                         std::uint16_t* likelihoods) {
  const SampleBox inner = inner_box(job, side);
  const SampleBox outer = outer_box(job, side);
  std::vector<std::int32_t> counts(kColorBins);
  count(bins, side, inner, counts.data());
  follow(counts.data(), job.rate, share_of_sample(job.rate, inner.area()), histograms);

  count(bins, side, {0, 0, side, outer.top}, counts.data());
  count(bins, side, {0, outer.top, outer.left, outer.bottom}, counts.data());
  count(bins, side, {outer.right, outer.top, side, outer.bottom}, counts.data());
  count(bins, side, {0, outer.bottom, side, side}, counts.data());
  float* background = histograms + kColorBins;
  follow(counts.data(), job.rate, share_of_sample(job.rate, side * side - outer.area()),
         background);
  for (int i = 0; i < kColorBins; ++i) {
    likelihoods[i] = color_likelihood(histograms[i], background[i]);
  }
}

}  // namespace

void learn_colors(std::span<const std::uint16_t> bins, int side, const ColorLearnJob& job,
                  std::span<float> histograms, std::span<std::uint16_t> likelihoods) {
  kFastest<learn>(bins.data(), side, job, histograms.data(), likelihoods.data());
}

}  // namespace cltrack::vector
