// SPDX-License-Identifier: LGPL-2.1-or-later
// Where runs start: on the given box, or a little off it; on the first frame, or on later ones too.
// Boxes a little off are OTB's test of spatial robustness (SRE; Wu, Lim, Yang, "Object Tracking
// Benchmark", TPAMI 2015): nobody draws a first box as exactly as ground truth. Many first frames
// are what VOT2020 does (Kristan et al., "The Eighth Visual Object Tracking VOT2020 Challenge
// Results"): one loss decides a run, many runs say how often it happens.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"
#include "dataset.h"

namespace cltrack::accuracy {

inline constexpr const char* kGivenStart = "given";

struct Start {
  std::string name;
  BoundingBox box;
  std::size_t frame = 0;  // where it is, and which is the first one that the tracker sees
};

struct StartOptions {
  bool shifted = false;   // twelve boxes more for each given one
  std::size_t every = 0;  // frames from one start to the next; 0: the first frame alone
  std::size_t most = 0;   // frames to start on; 0: as many as there are
};

// The given box. With `every`, then the true box on each frame that is a multiple of it, shows the
// target, and has as many frames from there on. Each of them with `shifted` twelve times more:
// moved by a tenth of its size to each side and corner ("left", "up", "left-up", ...), and scaled
// about its centre ("x0.8", "x0.9", "x1.1", "x1.2"). They may reach beyond the frame.
std::vector<Start> starts_of(const Sequence& sequence, const StartOptions& options);

}  // namespace cltrack::accuracy
