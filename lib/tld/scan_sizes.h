// SPDX-License-Identifier: LGPL-2.1-or-later
// A grid as operations take it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ops/ferns/scan_windows.h"
#include "tld/scan_grid.h"

namespace cltrack {

// The sizes of the grid, with the pixel pairs of each; they refer to both. `minimum_variance`: in
// grey levels squared.
inline std::vector<ScanSize> scan_sizes(const ScanGrid& grid,
                                        std::span<const std::vector<PixelPair>> pairs,
                                        float minimum_variance) {
  std::vector<ScanSize> sizes;
  for (const ScanScale& scale : grid.scales()) {
    const double pixels = static_cast<double>(scale.width) * scale.height;
    const double least = std::ceil(static_cast<double>(minimum_variance) * pixels * pixels);
    sizes.push_back({.width = scale.width,
                     .height = scale.height,
                     .xs = scale.xs,
                     .ys = scale.ys,
                     .first = scale.first,
                     .pairs = pairs[sizes.size()],
                     .minimum_variance = static_cast<std::uint64_t>(least)});
  }
  return sizes;
}

}  // namespace cltrack
