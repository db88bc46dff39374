// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/processor.h"
#include "ops/filter/scale_respond.h"
#include "ops/filter/scale_tables.h"

namespace cltrack::vector {
namespace {

[[gnu::always_inline]] inline void respond(const float* spectrum, const float* numerators,
                                           const float* denominators, float* responses) {
  float sums[kScales] = {};
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    const float* x = spectrum + 2 * k * kScaleValues;
    const float* by = numerators + 2 * k * kScaleValues;
    float lanes_re[kScaleLanes] = {}, lanes_im[kScaleLanes] = {};
    for (int v = 0; v < kScaleValues; v += kScaleLanes) {
      for (int lane = 0; lane < kScaleLanes; ++lane) {
        const float re = x[v + lane], im = x[kScaleValues + v + lane];
        const float by_re = by[v + lane], by_im = by[kScaleValues + v + lane];
        lanes_re[lane] += by_re * re - by_im * im;
        lanes_im[lane] += by_re * im + by_im * re;
      }
    }
    const float scale = denominators[k] + CLTRACK_SCALE_FLOOR;
    const float re = sum_of_lanes(lanes_re) / scale, im = sum_of_lanes(lanes_im) / scale;
    if (k == 0) {
      for (float& sum : sums) sum = re;
    } else {
      for (std::size_t s = 0; s < kScales; ++s) {
        sums[s] += 2 * (re * kScaleCos[k][s] - im * kScaleSin[k][s]);
      }
    }
  }
  for (std::size_t s = 0; s < kScales; ++s) responses[s] = sums[s] * (1.0f / kScales);
}

}  // namespace

void scale_respond(std::span<const float> spectrum, std::span<const float> numerators,
                   std::span<const float> denominators, std::span<float> responses) {
  kFastest<respond>(spectrum.data(), numerators.data(), denominators.data(), responses.data());
}

}  // namespace cltrack::vector
