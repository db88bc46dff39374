// SPDX-License-Identifier: LGPL-2.1-or-later
// A target's first frame: one box has to do for all that is known about the target.
#pragma once

#include <cstdint>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"
#include "compute/queue.h"
#include "tld/frame_planes.h"
#include "tld/scan_grid.h"
#include "tld/target_model.h"

namespace cltrack {

struct FirstFrame {
  TargetModel model;
  BoundingBox box;    // what stands for the target, see positive_box()
  BoundingBox given;  // where the target is
};

// Learns the target at `box`, which must lie inside the frame, both sides at least kMinimumBoxSide.
// The host does it; waits for planes that are elsewhere. Throws Error.
FirstFrame learn_first_frame(const BoundingBox& box, const ScanGrid& grid,
                             const FramePlanes& planes, const TldConfig& config, std::uint64_t seed,
                             Queue& host);

}  // namespace cltrack
