// SPDX-License-Identifier: LGPL-2.1-or-later
// The windows of a scan: of one size for host bodies, and of all sizes of all targets for kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"
#include "ops/ferns/fern_codes.h"

namespace cltrack {

// All windows of one size of a target, and the pixel pairs of the ferns in them.
struct ScanSize {
  int width = 0;
  int height = 0;
  std::span<const int> xs;             // left edges, rising
  std::span<const int> ys;             // top edges, rising
  std::uint32_t first = 0;             // index of the window at (xs[0], ys[0])
  std::span<const PixelPair> pairs;    // fern by fern
  std::uint64_t minimum_variance = 0;  // least scaled_variance() that passes
};

// Windows of a size: those of these rows that are in these columns, and all windows of the rows
// among them that ScanRegion::row_interval stands for. Ends are exclusive.
struct WindowRange {
  int first_row = 0;
  int last_row = 0;
  int first_column = 0;
  int last_column = 0;
  int row_interval = 0;
  int row_turn = 0;

  struct Columns {
    int first = 0;
    int last = 0;
    int count() const { return last - first; }
  };
  // The columns of one of the rows, of which the size has `all`.
  Columns columns(int row, int all) const {
    if (row_interval > 0 && row % row_interval == row_turn) return {0, all};
    return {first_column, last_column};
  }
};

// The box of a window of this size. `edges` are those of all windows.
inline BoundingBox box_of(std::uint32_t window, const WindowLayout& size,
                          const std::int32_t* edges) {
  const int place = static_cast<int>(window - size.first);
  return {static_cast<float>(edges[size.xs + place % size.columns]),
          static_cast<float>(edges[size.ys + place / size.columns]), static_cast<float>(size.width),
          static_cast<float>(size.height)};
}

// The scan of one target.
struct ScanTarget {
  std::span<const ScanSize>
      sizes;       // the first size begins with window 0, each other where the one before ends
  int tables = 0;  // slot of its fern tables
  std::uint32_t least_score = 0;  // of its best windows
};

// The windows of all targets for host bodies, which may read them from several threads.
struct ScanWindowsView {
  std::span<const ScanJob> jobs;
  std::span<const ScanRegion> regions;
  std::span<const WindowLayout> sizes;
  std::span<const std::int32_t> edges;
  std::span<const PixelPair> all_pairs;
  int pairs = 0;

  // `first` is the index among the windows of all targets.
  ScanSize size(std::size_t index) const;
  std::size_t size_of(std::uint32_t window) const;
  BoundingBox box(std::uint32_t window) const;
  // The windows of a size that lie in the region of its job, and all of some rows among theirs.
  WindowRange near(std::size_t index) const;
};

// Some rows of a size.
struct ScanChunk {
  std::size_t size = 0;
  WindowRange windows;
};

// All that a target has. Sizes are counted from its first one.
inline constexpr ScanRegion kWholeGrid = {0, 0, INT32_MAX, INT32_MAX, 0, INT32_MAX, 0, 0};

// All windows of all targets, target by target, and of each target size by size. A target is a job;
// its windows have the index that they have in the target, plus ScanJob::first. Made once for the
// targets' grids; which parts of them are scanned may change from frame to frame. Launches divide
// the windows into partitions.
struct ScanWindows {
  std::uint32_t count = 0;
  int pairs = 0;  // pixel pairs of each size, the same for all
  Array<ScanJob> jobs;
  Array<ScanRegion> regions;  // one for each job
  Array<WindowLayout> sizes;
  Array<std::int32_t> edges;
  Array<PixelPair> all_pairs;
  // For work-groups: up to CLTRACK_PART_WINDOWS each, by the y of the centre of their first window,
  // because those around the same row of pixels read many of the same. WindowPart::index has the
  // order of the windows.
  Array<WindowPart> parts;

  void assign(std::span<const ScanTarget> targets);
  // The windows of one target, whose tables are in slot 0.
  void assign(std::span<const ScanSize> sizes_of_target);

  // The region of each target that is scanned from now on, with sizes counted from its first one;
  // at first, it is kWholeGrid.
  void limit(std::span<const ScanRegion> regions_of_targets);

  // The windows that are scanned, by rising index, for the host's threads.
  std::vector<ScanChunk> chunks() const;

  ScanWindowsView host_view() const;
  ScanSize size(std::size_t index) const { return host_view().size(index); }
  std::size_t size_of(std::uint32_t window) const { return host_view().size_of(window); }
  BoundingBox box(std::uint32_t window) const { return host_view().box(window); }
};

}  // namespace cltrack
