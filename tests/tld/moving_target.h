// SPDX-License-Identifier: LGPL-2.1-or-later
// A target that moves on a circle and changes its size, for tests of the whole TLD tracker.
#pragma once

#include <cmath>
#include <cstdint>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"

namespace cltrack::test {

inline constexpr int kWidth = 240;
inline constexpr int kHeight = 180;

inline constexpr BoundingBox kOutside = {kWidth + 10, 20, 30, 30};

// The box of the target on frame i.
inline BoundingBox path(int i) {
  const float angle = 0.06f * static_cast<float>(i);
  const float size = 40 + 5 * std::sin(0.09f * static_cast<float>(i));
  return {100 + 55 * std::cos(angle) - size / 2, 85 + 40 * std::sin(angle) - size / 2, size, size};
}

inline TldConfig single_threaded(std::uint64_t seed = 0) { return {.seed = seed, .threads = 1}; }

}  // namespace cltrack::test
