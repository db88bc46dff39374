// SPDX-License-Identifier: LGPL-2.1-or-later
// A clip at another size, played forwards and backwards for as long as it is wanted: the target
// moves, never jumps, and memory stays small.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "benchmarks.h"
#include "cltrack/tracker.h"

namespace cltrack::accuracy {

class Loop {
 public:
  // Scales the beginning of the clip. The one that was asked for last is kept.
  static const Loop& of(const Clip& clip, FrameSize size);

  // Frame `index` of any number of them.
  const VideoFrame& frame(std::size_t index) const;
  // Where the target is on the first frame: whole pixels, no side under 16 of them.
  const BoundingBox& box() const { return box_; }

 private:
  Loop(const Clip& clip, FrameSize size);

  Footage footage_;
  BoundingBox box_;
};

struct LoopRun {
  std::vector<double> ms;  // of each frame
  std::size_t with_box = 0;
  TrackerStats stats;
};

// Tracks the target through `frames` of them. `after` is told the number of each that is done; its
// time does not count.
LoopRun track_loop(Tracker& tracker, const Loop& loop, std::size_t frames,
                   const std::function<void(std::size_t)>& after = {});

}  // namespace cltrack::accuracy
