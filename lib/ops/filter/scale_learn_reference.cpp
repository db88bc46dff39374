// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_learn.h"
#include "ops/filter/scale_tables.h"

namespace cltrack::reference {
namespace {

float mixed(float old, float latest, float rate) {
  return rate == 1 ? latest : (1 - rate) * old + rate * latest;
}

}  // namespace

void scale_learn(std::span<const float> spectrum, float rate, std::span<float> numerators,
                 std::span<float> denominators) {
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    const std::size_t first = 2 * k * kScaleValues;
    float lanes[kScaleLanes] = {};
    for (std::size_t v = 0; v < kScaleValues; ++v) {
      const float re = spectrum[first + v], im = spectrum[first + kScaleValues + v];
      float& to_re = numerators[first + v];
      float& to_im = numerators[first + kScaleValues + v];
      to_re = mixed(to_re, kScaleLabelRe[k] * re + kScaleLabelIm[k] * im, rate);
      to_im = mixed(to_im, kScaleLabelIm[k] * re - kScaleLabelRe[k] * im, rate);
      lanes[v % kScaleLanes] += re * re + im * im;
    }
    denominators[k] = mixed(denominators[k], sum_of_lanes(lanes), rate);
  }
}

}  // namespace cltrack::reference
