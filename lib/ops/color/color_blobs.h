// SPDX-License-Identifier: LGPL-2.1-or-later
// Connected pixels of the same label.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/color/color_sums.h"

namespace cltrack {

struct ColorBlob {
  int label = 0;
  ColorSum sum = kNoColorSum;
};

struct BlobScratch {
  std::vector<std::uint32_t> parents;
  std::vector<std::uint32_t> places;
};

// The blobs of at least `minimum_area` pixels, in the order of their first pixels. `runs` are those
// of a picture, row by row and from left to right. Pixels that touch at a corner are connected.
void find_blobs(std::span<const ColorRun> runs, std::uint64_t minimum_area, BlobScratch& scratch,
                std::vector<ColorBlob>& blobs);

}  // namespace cltrack
