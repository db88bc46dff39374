// SPDX-License-Identifier: LGPL-2.1-or-later
// How well boxes agree with the ground truth. Every frame counts, the first one with the given box
// too, as in the evaluation of the TLD author.
#pragma once

#include <limits>
#include <span>

#include "dataset.h"

namespace cltrack::accuracy {

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

struct Agreement {
  double precision = 0;  // correct boxes / reported boxes; 0 if none is reported
  double recall = 0;     // correct boxes / frames with the target; undefined without such frames
  double f = 0;          // harmonic mean of both
};

struct Scores {
  Agreement at25;                 // a box is correct if its overlap with the truth is over 0.25
  Agreement at50;                 // ... 0.5
  double auc = kUndefined;        // OTB: share of frames with the target whose overlap exceeds t,
                                  //   mean over t = 0, 0.05 .. 1; a missing box overlaps nothing
  double p20 = kUndefined;        // OTB: share of frames with the target whose box has its centre
                                  //   within 20 pixels of the true one
  double absent_fp = kUndefined;  // share of frames without the target on which a box is reported
};

// Both spans have the same length, one entry a frame.
Agreement agreement(std::span<const std::optional<BoundingBox>> truth,
                    std::span<const std::optional<BoundingBox>> reported, float min_overlap);
Scores score(std::span<const std::optional<BoundingBox>> truth,
             std::span<const std::optional<BoundingBox>> reported);

// The value below which `share` of the values lie, by linear interpolation: 0.5 is the median.
// Undefined without values.
double percentile(std::vector<double> values, double share);

}  // namespace cltrack::accuracy
