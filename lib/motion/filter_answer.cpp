// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/filter_answer.h"

#include <array>

#include "motion/filter_peak.h"
#include "motion/peak_to_sidelobe.h"
#include "ops/filter/filter_spectra.h"

namespace cltrack {

FilterAnswer filter_answer(std::span<const float> follower, std::span<const float> first,
                           std::span<const float> color, float width, float height) {
  constexpr float kFirstShare = 0.25f;
  std::array<float, kFilterPlane> filter;
  for (std::size_t i = 0; i < kFilterPlane; ++i) {
    filter[i] = (1 - kFirstShare) * follower[i] + kFirstShare * first[i];
  }
  const FilterPeak peak = filter_peak(filter, color);
  FilterAnswer answer = {.x = peak.x, .y = peak.y, .quality = {.filter = peak.filter}};
  answer.quality.filter_psr = peak_to_sidelobe(filter, peak.cell, width, height);
  answer.quality.color = peak.color;
  if (!color.empty()) answer.quality.color_psr = peak_to_sidelobe(color, peak.cell, width, height);
  return answer;
}

}  // namespace cltrack
