// SPDX-License-Identifier: LGPL-2.1-or-later
// What cltrack-benchmark measures. Each function registers benchmarks with Google Benchmark; what
// cannot run here is registered too, and says why when it is run.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "frame_source.h"

namespace cltrack::accuracy {

// A sequence, or its beginning, decoded: nothing of it is decoded while time is taken.
struct Clip {
  Sequence sequence;
  Footage footage;

  // The first box, whole pixels inside of the frame: the properties of elements are integers.
  BoundingBox box() const;
};

// The target's own box, then others from left to right and from top to bottom of the picture.
std::vector<BoundingBox> spread_boxes(const BoundingBox& target, int count, FrameSize size);

void register_tracker_benchmarks(std::span<const Clip> clips);  // whole trackers
void register_frame_benchmarks(std::span<const Clip> clips);    // a frame, at two sizes
void register_targets_benchmarks(std::span<const Clip> clips);  // a frame with many targets
// Many streams at a time; also with the first of `networks`.
void register_streams_benchmarks(std::span<const Clip> clips,
                                 std::span<const std::filesystem::path> networks);
void register_auto_benchmarks(std::span<const Clip> clips);     // `auto` against the best
void register_element_benchmarks(std::span<const Clip> clips);  // in a pipeline
void register_stage_benchmarks(std::span<const Clip> clips);    // stages of TLD, on the host
void register_motion_benchmarks(std::span<const Clip> clips);   // estimators of motion, on the host
void register_op_benchmarks(std::span<const Clip> clips);       // ops with kernels, on all devices
void register_placed_benchmarks(std::span<const Clip> clips);   // whole trackers, on all devices
void register_match_benchmarks(std::span<const Clip> clips);    // template matching; the first
void register_color_benchmarks();  // tracking by colour, on all devices; needs no clip
// Ops of networks and these models, on all devices; needs no clip.
void register_network_benchmarks(std::span<const std::filesystem::path> networks);
void register_zones_benchmarks();  // counting; needs no clip

}  // namespace cltrack::accuracy
