// SPDX-License-Identifier: LGPL-2.1-or-later
// Where the detector looks for a target. What motion follows surely need not be looked for all over
// each frame: now and then is enough to learn what else looks like it. In between, the windows near
// its box say whether it is still there.
#pragma once

#include <cstdint>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"
#include "ops/ferns/scan_windows.h"
#include "tld/scan_grid.h"

namespace cltrack {

class ScanPlan {
 public:
  // Of the target with that id: targets that start together take their turns on different frames.
  ScanPlan(std::uint64_t id, const TldConfig& config);

  // Before a frame's scan; again, if the frame begins again. `follows_on`: motion from the frame
  // before leads to it.
  void begin(bool follows_on);
  // Whether the whole grid is scanned on this frame.
  bool is_whole() const { return is_whole_; }
  // Others come first on this frame.
  void put_off() { is_whole_ = false; }
  // Frames since it was scanned.
  std::uint64_t waits() const { return waits_; }
  // After the frame. `is_sure`: that the target is where it is said to be.
  void end(bool is_sure);

 private:
  std::uint64_t every_;  // frames
  std::uint64_t turn_;   // frames until the target's turn, modulo every_
  std::uint64_t waits_ = 0;
  bool is_sure_ = false;
  bool is_whole_ = true;
};

// The windows that overlap a box by more than half, if it is not much further from `box` than a
// target goes from one frame to the next.
ScanRegion region_near(const BoundingBox& box, const ScanGrid& grid);

}  // namespace cltrack
