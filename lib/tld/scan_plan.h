// SPDX-License-Identifier: LGPL-2.1-or-later
// Where the detector looks for a target. What motion follows surely need not be looked for all over
// each frame: the windows near its box say whether it is still there. To learn what else looks like
// it, some rows of windows on each frame are enough, others on the next: so frames take equally
// long.
#pragma once

#include <cstdint>
#include <optional>

#include "cltrack/bounding_box.h"
#include "ops/ferns/scan_windows.h"
#include "tld/scan_grid.h"

namespace cltrack {

class ScanPlan {
 public:
  // Of the target with that id: targets that start together scan different rows.
  explicit ScanPlan(std::uint64_t id) : turn_(id) {}

  // Before a frame's scan; again, if the frame begins again. `steps`: usual intervals of the stream
  // that motion from the frame before leads over, 0 if none leads to this frame. `interval`: frames
  // in which each row is scanned once, at least.
  void begin(int steps, int interval);
  // Whether the whole grid is scanned on this frame.
  bool is_whole() const { return part_ == Part::whole; }
  // Others come first on this frame.
  void put_off();
  // There is no time for more than the region near the box on this frame.
  void look_near();
  // There is no time to scan anything on this frame. Instead of begin().
  void skip() { part_ = Part::nothing; }
  // Frames in a row, before this one, on which others came first.
  std::uint64_t waits() const { return waits_; }
  // What is scanned on this frame, if the target was in that box on the frame before.
  ScanRegion region(const std::optional<BoundingBox>& box, const ScanGrid& grid) const;
  // After the frame. `is_sure`: that the target is where it is said to be.
  void end(bool is_sure);

 private:
  enum class Part { whole, near_and_rows, near, nothing };  // of the grid

  std::uint64_t turn_;
  std::uint64_t waits_ = 0;
  int interval_ = 1;
  bool is_sure_ = false;
  Part part_ = Part::whole;
  bool is_put_off_ = false;
  int steps_ = 1;
};

// The windows that overlap a box by more than half, if it is not much further from `box` than a
// target goes within `steps` usual intervals between two frames.
ScanRegion region_near(const BoundingBox& box, const ScanGrid& grid, int steps = 1);

}  // namespace cltrack
