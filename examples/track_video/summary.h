// SPDX-License-Identifier: LGPL-2.1-or-later
// What happened to each target: on how many frames it has a box, when it got lost, and when
// something that matches it was found. Whether that is the target is more than is known.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "cltrack/track.h"

namespace track_video {

class Summary {
 public:
  // `seconds` below 0: the frame has no time.
  void add(std::uint64_t id, const std::string& label, cltrack::TrackState state,
           std::uint64_t frame, double seconds);

  // A few lines for each target, in the order in which they first came.
  void print(std::ostream& out) const;

 private:
  struct Change {
    bool found;  // a match; else lost
    std::uint64_t frame;
    double seconds;
  };
  struct Target {
    std::uint64_t id;
    std::string label;
    std::uint64_t frames = 0;
    std::uint64_t tracking = 0;
    std::uint64_t uncertain = 0;
    bool has_box = true;  // so that a target lost on the first frame counts as a loss
    std::vector<Change> changes;
  };

  std::vector<Target> targets_;
};

}  // namespace track_video
