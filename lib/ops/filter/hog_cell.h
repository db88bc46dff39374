// SPDX-License-Identifier: LGPL-2.1-or-later
// Arithmetic of a cell of hog(), for numbers and vectors of them. kernels/filter/hog.cl has the
// same.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/filter_types.h"

namespace cltrack {

// Grey levels in an entry of a histogram: samples are 64 times, weights 8 x 8 times.
inline constexpr float kHogUnit = 1.0f / (CLTRACK_GREY_SAMPLES * 64);

[[gnu::always_inline]] inline float hog_value(std::uint32_t entry) {
  return static_cast<float>(static_cast<std::int32_t>(entry)) * kHogUnit;
}

// One over the norm of a block of four cells.
[[gnu::always_inline]] inline float hog_norm(float own, float beside, float above, float across) {
  return 1 / std::sqrt(own + beside + above + across + CLTRACK_HOG_FLOOR);
}

[[gnu::always_inline]] inline float hog_cut(float value) {
  return value < CLTRACK_HOG_CUT ? value : CLTRACK_HOG_CUT;
}

// Of the sum of a cell's samples.
[[gnu::always_inline]] inline float hog_grey(std::uint32_t sum) {
  return static_cast<float>(static_cast<std::int32_t>(sum)) *
             (1.0f / (CLTRACK_CELL_SIDE * CLTRACK_CELL_SIDE * CLTRACK_GREY_SAMPLES * 255)) -
         0.5f;
}

}  // namespace cltrack
