// SPDX-License-Identifier: LGPL-2.1-or-later
// What a detector says of a frame: which of its detections count, and whether it has run at all.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/detection_config.h"
#include "cltrack/detection_tracker.h"
#include "cltrack/export.h"

namespace cltrack {

// Whether what is seen of a box on a frame of width x height pixels is in the region.
bool is_in_region(const SearchRegion& region, const BoundingBox& box, int width, int height);

struct DetectedFrame {
  std::vector<DetectedObject> detections;  // that count
  std::vector<std::size_t> indices;        // of each of them among all that were found
  std::set<std::string> labels;  // of all that were found, those that do not count included
  std::size_t left_out = 0;      // that would count, but are too many
  bool is_round = false;         // it is said that the detector has run
  // Otherwise it has not; or nobody knows, and rounds are inferred: every `interval` frames, or (0)
  // as often as the detector usually runs.
  bool infers_rounds = false;
  int interval = 0;
};

// The detections of a frame of width x height pixels that count: kMostDetections at most, the most
// confident ones. None with DetectionUse::ignore. `is_round`: it is said that the detector has run.
CLTRACK_API DetectedFrame count_detections(const DetectionConfig& config,
                                           std::span<const DetectedObject> found, bool is_round,
                                           int width, int height);

// The rounds of a detector: frames on which it has run. Those with any of its detections are, and
// those that say so; while it finds nothing, it is taken to run as often as it usually does.
class DetectionRounds {
 public:
  // A frame at `now` seconds. `ran`: the detector is known to have run. `every`: frames from one
  // round to the next, if that is known, or 0. Returns whether the frame is a round.
  bool see(double now, bool ran, int every);
  // The usual time between two rounds, seconds; 0: not known yet.
  double interval() const;
  // Whether a round was seen a moment before `now`, seconds.
  bool is_at_work(double now) const;

 private:
  static constexpr std::size_t kGaps = 9, kLeastGaps = 3;

  std::vector<double> gaps_;        // between rounds that were seen, the latest ones
  std::optional<double> observed_;  // the latest round that was seen
  double latest_ = 0;               // round of any kind
  int frames_ = 0;                  // since then
};

}  // namespace cltrack
