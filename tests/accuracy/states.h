// SPDX-License-Identifier: LGPL-2.1-or-later
// What states and confidences are worth: whether a tracker knows when it is right, and when its
// target is out of sight. Frames are counted, so that counts of several runs can be added; every
// frame counts, the first one with the given box too.
#pragma once

#include <array>
#include <span>

#include "metrics.h"
#include "trackers.h"

namespace cltrack::accuracy {

inline constexpr std::size_t kConfidenceBins = 10;  // of equal width, from 0 to 1

// The boxes whose confidence lies in one bin. A box is right if its overlap with the truth is at
// least 0.25; one on a frame without the target is wrong.
struct ConfidenceBin {
  std::size_t boxes = 0;
  std::size_t right = 0;
  double confidence = 0;  // sum over the boxes

  double mean_confidence() const { return share(confidence, boxes); }
  double right_share() const { return share(right, boxes); }
};

// Frames that a tracker reports in one state.
struct StateFrames {
  std::size_t frames = 0;
  std::size_t right = 0;    // with a box that is right, as above
  std::size_t visible = 0;  // that show the target

  double precision() const { return share(right, frames); }
};

struct StateCounts {
  std::size_t visible = 0;  // frames that show the target
  std::size_t absent = 0;   // the others
  std::size_t found = 0;    // visible, and a box whose overlap with the truth is at least 0.5
  std::size_t silent = 0;   // absent, and no box
  StateFrames tracking;
  StateFrames uncertain;
  std::array<ConfidenceBin, kConfidenceBins> bins;

  StateCounts& operator+=(const StateCounts& other);

  // All of these are undefined if there is nothing to take a share of.
  double tracking_share() const { return share(tracking.visible, visible); }  // of `visible`
  // Expected calibration error: |mean confidence - share of right boxes| of the bins, weighted by
  // their boxes.
  double calibration_error() const;
  // Presence as in OxUvA (Valmadre et al., "Long-term Tracking in the Wild: a Benchmark", 2018).
  double true_positive_rate() const { return share(found, visible); }
  double true_negative_rate() const { return share(silent, absent); }
  double geometric_mean() const;  // of both rates
};

// Both spans have the same length, one entry a frame.
StateCounts count_states(std::span<const std::optional<BoundingBox>> truth,
                         std::span<const Observation> observed);

}  // namespace cltrack::accuracy
