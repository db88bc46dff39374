// SPDX-License-Identifier: LGPL-2.1-or-later
// Where the objects of a picture are, each known by its colour: number of pixels, sums of their
// places and bounding box, of all objects in one pass (Vasconcelos et al., "Real-Time Video
// Processing for Multi-Object Chromatic Tracking", BMVC 2008, section 3). The paper reads each
// pixel once for every object of its cell; here it is read once.
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

// The mean place of the pixels, of which there must be some.
inline TrackPoint centroid_of(const ColorSum& sum) {
  const auto count = static_cast<double>(sum.count);
  return {static_cast<float>(static_cast<double>(sum.sum_x) / count),
          static_cast<float>(static_cast<double>(sum.sum_y) / count)};
}

void add_run(ColorSum& sum, const ColorRun& run);
void add_sum(ColorSum& sum, const ColorSum& other);

// Adds the rows [first_row, last_row) to `sums`: entry i is that of label i + 1. Labels above the
// number of entries are left out.
void color_sums_host(const ColorPicture& picture, const std::uint8_t* table, int first_row,
                     int last_row, std::vector<std::uint8_t>& scratch, std::span<ColorSum> sums);

// How the numbers that work-groups leave lie in memory: those of an object next to each other, or
// those of a group.
enum class ColorSumLayout { by_object, by_group };

// How the work is cut; see docs/color.md for what that costs where.
struct ColorCut {
  int rows = 0;   // of a work-group, at most 65536 / width; 0: by device
  int run = 0;    // pixels of a work-item at a time; 0: by device
  int items = 0;  // of a work-group; 0: by device
  ColorSumLayout layout = ColorSumLayout::by_group;
};

struct ColorScratch {
  Array<std::uint32_t> partial;  // 7 numbers for each object and work-group
  std::vector<std::uint8_t> labels;
};

// The sums of `objects` objects (1 to kMaxColorObjects) wherever the queue works. `table` has
// kColorCells entries. Resizes `sums`. The picture is at most 65536 pixels wide. Does not wait.
// Throws Error.
void color_sums(Queue& queue, ColorPlanes& planes, Array<std::uint8_t>& table, int objects,
                ColorScratch& scratch, Array<ColorSum>& sums, const ColorCut& cut = {});

}  // namespace cltrack
