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
#include "tld/target_model.h"

namespace cltrack {

// The sizes of the grid, with the pixel pairs of each. They refer to the grid.
class ScanSizes {
 public:
  // `minimum_variance`: in grey levels squared.
  ScanSizes(const ScanGrid& grid, const FernEnsemble& ferns, float minimum_variance) {
    for (const ScanScale& scale : grid.scales()) {
      pairs_.push_back(ferns.pairs_for(scale.width, scale.height));
      const double pixels = static_cast<double>(scale.width) * scale.height;
      const double least = std::ceil(static_cast<double>(minimum_variance) * pixels * pixels);
      sizes_.push_back({.width = scale.width,
                        .height = scale.height,
                        .xs = scale.xs,
                        .ys = scale.ys,
                        .first = scale.first,
                        .pairs = pairs_.back(),
                        .minimum_variance = static_cast<std::uint64_t>(least)});
    }
  }

  std::span<const ScanSize> view() const { return sizes_; }

 private:
  std::vector<std::vector<PixelPair>> pairs_;  // moving the outer vector leaves the inner ones
  std::vector<ScanSize> sizes_;
};

}  // namespace cltrack
