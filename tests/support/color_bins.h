// SPDX-License-Identifier: LGPL-2.1-or-later
// Colours of samples for tests, as sample_colors() makes them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.h"
#include "ops/filter/filter_colors.h"

namespace cltrack::test {

// `count` samples of so many colours, which lie anywhere among all bins, the last one included.
inline std::vector<std::uint16_t> random_bins(std::size_t count, std::uint32_t colors,
                                              std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint16_t> bins(count);
  for (std::uint16_t& bin : bins) {
    bin = static_cast<std::uint16_t>(kColorBins - 1 - random.below(colors) * 977 % kColorBins);
  }
  return bins;
}

}  // namespace cltrack::test
