// SPDX-License-Identifier: LGPL-2.1-or-later
// The patches of many boxes.
#pragma once

#include <cstdint>

#include "cltrack/bounding_box.h"
#include "compute/array.h"
#include "compute/plane.h"
#include "ops/patches/patch.h"

namespace cltrack {

struct PatchScratch {
  Array<std::int32_t> spans;    // on CPUs
  Array<std::int16_t> weights;  // on CPUs
  Array<std::int32_t> taps;     // on GPUs
};

// extract_patch() of the boxes of one job or more: boxes.size() / counts.size() to each, of which
// the first counts[job] are used. Resizes `patches` to the number of boxes and leaves the unused
// ones unspecified. No side of a box may be longer than `longest_side`, from which the room for
// weights follows. Does not wait. Throws Error.
void extract_patches(Queue& queue, const Plane& image, const Array<BoundingBox>& boxes,
                     const Array<std::uint32_t>& counts, float longest_side, PatchScratch& scratch,
                     Array<Patch>& patches);

}  // namespace cltrack
