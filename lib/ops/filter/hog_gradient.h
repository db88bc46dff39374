// SPDX-License-Identifier: LGPL-2.1-or-later
// The gradient of a sample as hog() counts it. kernels/filter/hog.cl has the same.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/filter_types.h"

namespace cltrack {

inline constexpr std::int32_t kHalfwayCos[CLTRACK_HALFWAY_ANGLES] = CLTRACK_HALFWAY_COS;
inline constexpr std::int32_t kHalfwaySin[CLTRACK_HALFWAY_ANGLES] = CLTRACK_HALFWAY_SIN;

struct HogGradient {
  std::int32_t direction;  // 0..17, 20 degrees apart
  std::int32_t length;     // rounded
};

[[gnu::always_inline]] inline std::int32_t hog_length(std::int32_t dx, std::int32_t dy) {
  return static_cast<std::int32_t>(std::sqrt(static_cast<float>(dx * dx + dy * dy)) + 0.5f);
}

// A gradient of length 0 has some direction. dx, dy: differences of the samples to the right and
// left, below and above; under 2^15.
[[gnu::always_inline]] inline HogGradient hog_gradient(std::int32_t dx, std::int32_t dy) {
  const bool is_lower = dy < 0 || (dy == 0 && dx < 0);
  const std::int32_t x = is_lower ? -dx : dx;
  const std::int32_t y = is_lower ? -dy : dy;
  std::int32_t direction = is_lower ? CLTRACK_HOG_DIRECTIONS / 2 : 0;
  for (int k = 0; k < CLTRACK_HALFWAY_ANGLES; ++k) {
    direction += y * kHalfwayCos[k] - x * kHalfwaySin[k] >= 0 ? 1 : 0;
  }
  return {direction >= CLTRACK_HOG_DIRECTIONS ? direction - CLTRACK_HOG_DIRECTIONS : direction,
          hog_length(dx, dy)};
}

}  // namespace cltrack
