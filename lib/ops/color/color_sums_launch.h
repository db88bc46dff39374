// SPDX-License-Identifier: LGPL-2.1-or-later
// The launches of color_sums.h with any work partition. For ops/color, its tests and benchmarks
// alone.
#pragma once

#include "ops/color/color_sums.h"

namespace cltrack {

// docs/notes/color.md has measurements.
struct ColorPartition {
  int rows = 2;            // of a work-group; fewer if they have more than 65536 pixels
  int run = 16;            // pixels of a work-item at a time
  int items = 128;         // of a work-group
  bool by_object = false;  // layout of partial sums: by object, or by work-group
};

ColorPartition color_partition(const Device& device, int width);

void launch_color_sums(const ColorPartition& partition, Queue& queue, const ColorPlanes& planes,
                       const Array<std::uint8_t>& table, int objects, ColorScratch& scratch,
                       Array<ColorSum>& sums);

}  // namespace cltrack
