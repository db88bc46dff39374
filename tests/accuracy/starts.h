// SPDX-License-Identifier: LGPL-2.1-or-later
// Where runs start: on the given box, or a little off it. The latter is OTB's test of spatial
// robustness (SRE; Wu, Lim, Yang, "Object Tracking Benchmark", TPAMI 2015): nobody draws a first
// box as exactly as ground truth.
#pragma once

#include <string>
#include <vector>

#include "cltrack/bounding_box.h"

namespace cltrack::accuracy {

inline constexpr const char* kGivenStart = "given";

struct Start {
  std::string name;
  BoundingBox box;
};

// The given box; with `shifted` twelve more: moved by a tenth of its size to each side and corner
// ("left", "up", "left-up", ...), and scaled about its centre ("x0.8", "x0.9", "x1.1", "x1.2").
// They may reach beyond the frame.
std::vector<Start> starts_of(const BoundingBox& given, bool shifted);

}  // namespace cltrack::accuracy
