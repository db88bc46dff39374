// SPDX-License-Identifier: LGPL-2.1-or-later
// The template matching of "Implementing Template-Matching Object Tracking in SIMD using CUDA" (De
// La Salle University, 2025), written anew from its description, to be run beside ours: a work-item
// for each place, sums in double, a map of double, its maximum in two passes.
#pragma once

#include <memory>

#include "compute/queue.h"
#include "ops/match/best_match.h"

namespace cltrack::accuracy {

class PaperMatch {
 public:
  // The template from global memory, or in tiles of 32 x 32 through local memory. Not for the host.
  // Throws Error.
  PaperMatch(Queue& queue, const ImageView& pattern, bool tiled);
  ~PaperMatch();

  // Uploads the frame, whose rows are packed and which always has the size of the first one, and
  // waits for the result.
  MatchPlace find(const ImageView& frame);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cltrack::accuracy
