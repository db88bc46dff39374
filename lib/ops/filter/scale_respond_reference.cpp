// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_respond.h"
#include "ops/filter/scale_tables.h"

namespace cltrack::reference {

void scale_respond(std::span<const float> spectrum, std::span<const float> numerators,
                   std::span<const float> denominators, std::span<float> responses) {
  float sums_re[kScaleBins], sums_im[kScaleBins];
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    const std::size_t first = 2 * k * kScaleValues;
    float lanes_re[kScaleLanes] = {}, lanes_im[kScaleLanes] = {};
    for (std::size_t v = 0; v < kScaleValues; ++v) {
      const float re = spectrum[first + v], im = spectrum[first + kScaleValues + v];
      const float by_re = numerators[first + v], by_im = numerators[first + kScaleValues + v];
      lanes_re[v % kScaleLanes] += by_re * re - by_im * im;
      lanes_im[v % kScaleLanes] += by_re * im + by_im * re;
    }
    const float scale = denominators[k] + CLTRACK_SCALE_FLOOR;
    sums_re[k] = sum_of_lanes(lanes_re) / scale;
    sums_im[k] = sum_of_lanes(lanes_im) / scale;
  }
  for (std::size_t s = 0; s < kScales; ++s) {
    float sum = sums_re[0];
    for (std::size_t k = 1; k < kScaleBins; ++k) {
      sum += 2 * (sums_re[k] * kScaleCos[k][s] - sums_im[k] * kScaleSin[k][s]);
    }
    responses[s] = sum * (1.0f / kScales);
  }
}

}  // namespace cltrack::reference
