// SPDX-License-Identifier: LGPL-2.1-or-later
#include <vector>

#include "ops/filter/color_share.h"
#include "ops/filter/learn_colors.h"

namespace cltrack::reference {

void learn_colors(std::span<const std::uint16_t> bins, int side, const ColorLearnJob& job,
                  std::span<float> histograms, std::span<std::uint16_t> likelihoods) {
  const SampleBox inner = inner_box(job, side);
  const SampleBox outer = outer_box(job, side);
  const auto contains = [](const SampleBox& box, int x, int y) {
    return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
  };
  std::vector<std::int32_t> target(kColorBins), background(kColorBins);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const std::size_t bin = bins[static_cast<std::size_t>(y * side + x)];
      if (contains(inner, x, y)) ++target[bin];
      if (!contains(outer, x, y)) ++background[bin];
    }
  }
  const float of_target = share_of_sample(job.rate, inner.area());
  const float of_background = share_of_sample(job.rate, side * side - outer.area());
  const float keep = 1 - job.rate;
  const auto kept = [keep](float share) { return keep > 0 ? keep * share : 0; };
  for (std::size_t i = 0; i < kColorBins; ++i) {
    float& own = histograms[i];
    float& other = histograms[kColorBins + i];
    own = new_share(kept(own), target[i], of_target);
    other = new_share(kept(other), background[i], of_background);
    likelihoods[i] = color_likelihood(own, other);
  }
}

}  // namespace cltrack::reference
