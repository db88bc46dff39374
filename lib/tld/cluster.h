// SPDX-License-Identifier: LGPL-2.1-or-later
// Groups detections that are of one object.
#pragma once

#include <span>
#include <vector>

#include "cltrack/bounding_box.h"

namespace cltrack {

struct ScoredBox {
  BoundingBox box;
  float confidence = 0;
};

// Single linkage: boxes that overlap by at least `minimum_overlap`, directly or through others, are
// one cluster. Returns the mean box and the mean confidence of each, in the order of their first
// box.
std::vector<ScoredBox> cluster(std::span<const ScoredBox> boxes, float minimum_overlap);

}  // namespace cltrack
