// SPDX-License-Identifier: LGPL-2.1-or-later
// The objects of a picture by their colours: number of pixels, sums of their places and bounding
// box of all objects in one pass (Vasconcelos et al., "Real-Time Video Processing for Multi-Object
// Chromatic Tracking", BMVC 2008, section 3). The paper reads each pixel once for every object of
// its cell; here it is read once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cltrack/track.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"
#include "ops/color/color_labels.h"
#include "ops/color/color_planes.h"
#include "ops/color/color_runs.h"

namespace cltrack {

// ColorSum is in kernel_types.h: { count, sum_x, sum_y, left, top, right, bottom }; right and
// bottom are exclusive. 64 bits: no picture is too large.
inline constexpr ColorSum kNoColorSum = {
    0, 0, 0, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::max(),
    0, 0};

// The mean place of the pixels; there must be some.
inline TrackPoint centroid_of(const ColorSum& sum) {
  const auto count = static_cast<double>(sum.count);
  return {static_cast<float>(static_cast<double>(sum.sum_x) / count),
          static_cast<float>(static_cast<double>(sum.sum_y) / count)};
}

void add_run(ColorSum& sum, const ColorRun& run);
void add_sum(ColorSum& sum, const ColorSum& other);

// The sums of `objects` objects (1 to kMaxColorObjects); entry i is that of label i + 1, and larger
// labels are left out. `table` has kColorCells entries. Resizes `sums`. The picture is at most
// 65536 pixels wide. Does not wait. Throws Error.
void color_sums(Queue& queue, const ColorPlanes& planes, const Array<std::uint8_t>& table,
                int objects, ColorScratch& scratch, Array<ColorSum>& sums);

namespace reference {
// Adds the rows [first_row, last_row) to `sums`; `labels` is overwritten.
void color_sums(const ColorPicture& picture, const std::uint8_t* table, int first_row, int last_row,
                std::vector<std::uint8_t>& labels, std::span<ColorSum> sums);
}  // namespace reference

}  // namespace cltrack
