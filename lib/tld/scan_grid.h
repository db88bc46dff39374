// SPDX-License-Identifier: LGPL-2.1-or-later
// The windows that the detector scans, and which of them on which frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"
#include "ops/ferns/scan_windows.h"

namespace cltrack {

// The windows that the detector looks at: boxes of the first box's shape at several sizes, spread
// over the frame at steps of a tenth of their shorter side, or larger ones where they would be too
// many. A window is known by its index; sizes come in rising order, within a size rows from top to
// bottom, within a row from left to right.

struct Window {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  BoundingBox box() const {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(width),
            static_cast<float>(height)};
  }
};

// All windows of one size.
struct ScanScale {
  int width = 0;
  int height = 0;
  float shift = 0;          // step between windows, fraction of the shorter side
  std::vector<int> xs;      // left edges of the columns, rising
  std::vector<int> ys;      // top edges of the rows, rising
  std::uint32_t first = 0;  // index of the window at (xs[0], ys[0])

  std::uint32_t size() const { return static_cast<std::uint32_t>(xs.size() * ys.size()); }
};

struct WindowOverlap {
  std::uint32_t window = 0;
  float overlap = 0;
};

class ScanGrid {
 public:
  ScanGrid() = default;

  // `width` and `height`: of the target's first box, at least kMinimumBoxSide and at most the
  // frame. Of config.max_windows at most: as long as there are more, one size gets larger steps,
  // the one that has most windows. No step is above a third of the side, at which a window still
  // overlaps any place by half, before all are there; from then on they grow alike.
  ScanGrid(float width, float height, int frame_width, int frame_height, const TldConfig& config);

  const std::vector<ScanScale>& scales() const { return scales_; }
  std::uint32_t size() const { return size_; }
  std::size_t scale_of(std::uint32_t window) const;
  // A side of the smallest window; 0 if there is none.
  float shortest_side() const;
  Window window(std::uint32_t index) const;
  // Whether some size has larger steps than the config has.
  bool is_coarse() const { return is_coarse_; }

  // The windows that overlap `box` by more than `minimum` (> 0), highest overlap first, ties by
  // index. Only the few whose size and place allow it are looked at.
  std::vector<WindowOverlap> overlapping(const BoundingBox& box, float minimum) const;

 private:
  void coarsen(int frame_width, int frame_height, std::uint32_t most);

  std::vector<ScanScale> scales_;
  std::uint32_t size_ = 0;
  bool is_coarse_ = false;
};

// Where the detector looks for a target. What motion follows surely need not be looked for all over
// each frame: the windows near its box say whether it is still there. To learn what else looks like
// it, some rows of windows on each frame are enough, others on the next: so frames take equally
// long.
class ScanPlan {
 public:
  // The plan depends on the target's id: targets that start together scan different rows.
  explicit ScanPlan(std::uint64_t id) : turn_(id) {}

  // Before a frame's scan; again, if the frame begins again. `steps`: frame intervals of the stream
  // that motion from the frame before leads over, 0 if none leads to this frame. `interval`: frames
  // in which each row is scanned once, at least.
  void begin(int steps, int interval);
  // Whether the whole grid is scanned on this frame.
  bool is_whole() const { return part_ == Part::whole; }
  // Others come first on this frame.
  void defer();
  // There is no time for more than the region near the box on this frame.
  void look_near();
  // Nothing is scanned on this frame. Instead of begin().
  void skip() { part_ = Part::nothing; }
  bool has_scan() const { return part_ != Part::nothing; }
  // Frames in a row, before this one, on which others came first.
  std::uint64_t frames_deferred() const { return frames_deferred_; }
  // The windows to scan on this frame, if the target was in that box on the frame before.
  ScanRegion region(const std::optional<BoundingBox>& box, const ScanGrid& grid) const;
  // After the frame. `is_sure`: that the target is where it is said to be.
  void end(bool is_sure);
  // Of the latest frame that has ended.
  bool is_sure() const { return is_sure_; }

 private:
  enum class Part { whole, near_and_rows, near, nothing };  // of the grid

  std::uint64_t turn_;
  std::uint64_t frames_deferred_ = 0;
  int interval_ = 1;
  bool is_sure_ = false;
  Part part_ = Part::whole;
  bool is_deferred_ = false;
  int steps_ = 1;
};

// The windows that overlap a box by more than half, if it is not much further from `box` than a
// target goes within `steps` frame intervals.
ScanRegion region_near(const BoundingBox& box, const ScanGrid& grid, int steps = 1);

}  // namespace cltrack
