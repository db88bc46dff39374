// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/processor.h"
#include "ops/filter/scale_learn.h"
#include "ops/filter/scale_tables.h"

namespace cltrack::vector {
namespace {

// `mixed(old, latest)`: what is kept of both.
template <typename Mixed>
[[gnu::always_inline]] inline void learn_all(const float* spectrum, float* numerators,
                                             float* denominators, const Mixed& mixed) {
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    const float label_re = kScaleLabelRe[k], label_im = kScaleLabelIm[k];
    const float* from = spectrum + 2 * k * kScaleValues;
    float* to = numerators + 2 * k * kScaleValues;
    float lanes[kScaleLanes] = {};
    for (int v = 0; v < kScaleValues; v += kScaleLanes) {
      for (int lane = 0; lane < kScaleLanes; ++lane) {
        const float re = from[v + lane], im = from[kScaleValues + v + lane];
        float& to_re = to[v + lane];
        float& to_im = to[kScaleValues + v + lane];
        to_re = mixed(to_re, label_re * re + label_im * im);
        to_im = mixed(to_im, label_im * re - label_re * im);
        lanes[lane] += re * re + im * im;
      }
    }
    denominators[k] = mixed(denominators[k], sum_of_lanes(lanes));
  }
}

[[gnu::always_inline]] inline void learn(const float* spectrum, float rate, float* numerators,
                                         float* denominators) {
  if (rate == 1) {
    learn_all(spectrum, numerators, denominators, [](float, float latest) { return latest; });
  } else {
    learn_all(spectrum, numerators, denominators,
              [=](float old, float latest) { return (1 - rate) * old + rate * latest; });
  }
}

}  // namespace

void scale_learn(std::span<const float> spectrum, float rate, std::span<float> numerators,
                 std::span<float> denominators) {
  kFastest<learn>(spectrum.data(), rate, numerators.data(), denominators.data());
}

}  // namespace cltrack::vector
