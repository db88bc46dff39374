// SPDX-License-Identifier: LGPL-2.1-or-later
// One box from the motion estimate and the clustered detections.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"

namespace cltrack {

// Groups detections that are of one object.

struct ScoredBox {
  BoundingBox box;
  float confidence = 0;
};

// Single linkage: boxes that overlap by at least `minimum_overlap`, directly or through others, are
// one cluster. Returns the mean box and the mean confidence of each, in the order of their first
// box.
std::vector<ScoredBox> cluster(std::span<const ScoredBox> boxes, float minimum_overlap);

// Makes one box out of what median flow and the detector say (TPAMI section 5.4).

// Where a target is believed to be.
struct Estimate {
  BoundingBox box;
  float confidence = 0;  // conservative similarity of what the box shows, 0 to 1
  bool valid = false;    // trusted enough to learn from
};

// `tracked`: median flow's estimate, if it has one. `near`: all windows that passed the ferns, with
// their conservative similarity.
// `accepted`: those of them that the nearest neighbours accepted, with their conservative
// similarity.
//
// With a tracked box: if exactly one cluster of accepted detections lies elsewhere and is clearly
// more confident, the target is there, not valid yet; otherwise the tracked box, refined by the
// near windows that are more like the target. Without: the cluster of accepted detections if there
// is exactly one, not valid yet. The reference jumps to any more confident cluster. Measured on 20
// sequences, jumps by less than 0.1, to places that hardly any window supports, or away from a
// valid box are wrong as often as right, hence the jump_* limits of the config.
std::optional<Estimate> integrate(const std::optional<Estimate>& tracked,
                                  std::span<const ScoredBox> near,
                                  std::span<const ScoredBox> accepted, const TldConfig& config);

}  // namespace cltrack
