// SPDX-License-Identifier: LGPL-2.1-or-later
// Factors and the order of sums that the ops of the scale filter share. Their kernels have the
// same, in kernels/parts/scale_sums.cl.
#pragma once

#include <array>

#include "ops/filter/scale_spectra.h"

namespace cltrack {

inline constexpr int kScaleLanes = CLTRACK_SCALE_LANES;
static_assert(kScaleValues % kScaleLanes == 0);

inline constexpr std::array<float, kScales> kScaleHann = CLTRACK_SCALE_HANN;
inline constexpr std::array<float, kScaleBins> kScaleLabelRe = CLTRACK_SCALE_LABEL_RE;
inline constexpr std::array<float, kScaleBins> kScaleLabelIm = CLTRACK_SCALE_LABEL_IM;

using ScaleTable = std::array<std::array<float, kScales>, kScaleBins>;

// Of k * s / 33 turns: one of 33.
constexpr ScaleTable scale_turns(const std::array<float, kScales>& turn) {
  ScaleTable table = {};
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    for (std::size_t s = 0; s < kScales; ++s) table[k][s] = turn[k * s % kScales];
  }
  return table;
}
inline constexpr ScaleTable kScaleCos = scale_turns(CLTRACK_SCALE_COS);
inline constexpr ScaleTable kScaleSin = scale_turns(CLTRACK_SCALE_SIN);

// A sum over the 1152 values of a bin: lane l adds up values l, l + 32, l + 64 ...; then the upper
// half of the lanes is added to the lower one, until one is left.
[[gnu::always_inline]] inline float sum_of_lanes(float* lanes) {
  for (int half = kScaleLanes / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

}  // namespace cltrack
