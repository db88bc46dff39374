// SPDX-License-Identifier: LGPL-2.1-or-later
// Training samples of a target, from one frame: the P-expert (what is close to the target is the
// target, also when turned or shifted a little) and the N-expert (what is far from it is not).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"
#include "compute/array.h"
#include "core/random.h"
#include "ops/ferns/fern_codes.h"
#include "tld/object_model.h"
#include "tld/scan_grid.h"
#include "tld/target_model.h"

namespace cltrack {

// The samples of a frame. Positives are `windows`, each seen through each of the warps; negatives
// are those of the frame's candidates that are far from the box.
struct TrainingSet {
  BoundingBox box;  // where the target is
  std::vector<std::uint32_t> windows;
  std::vector<FixedWarp> warps;
};

// The windows to learn as positives of a target at `box`: those that overlap it most, by more than
// config.positive_overlap, best first, at most `count`. The best one of all comes first even if it
// overlaps less. Empty if no window meets the box.
std::vector<std::uint32_t> positive_windows(const ScanGrid& grid, const BoundingBox& box, int count,
                                            const TldConfig& config);

// The box that stands for a target at `box` that has these positives, and is learnt: the best of
// them, which the detector can find again; where the grid is coarse, `box` itself, which refined
// detections reach.
BoundingBox positive_box(const ScanGrid& grid, const BoundingBox& box,
                         std::span<const std::uint32_t> windows);

// config.warps warps of the common neighbourhood of `windows`; the first one is none.
std::vector<FixedWarp> random_warps(const ScanGrid& grid, std::span<const std::uint32_t> windows,
                                    const WarpConfig& config, Random& random);

// The target is at `box`: the object model learns that and what else was found on the frame.
// Returns what the ferns have to learn, if anything.
std::optional<TrainingSet> learn_box(const BoundingBox& box, const ScanGrid& grid,
                                     const Plane& luma, std::span<const Detection> found,
                                     const TldConfig& config, TargetModel& model);

}  // namespace cltrack
