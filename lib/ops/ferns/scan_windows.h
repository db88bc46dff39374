// SPDX-License-Identifier: LGPL-2.1-or-later
// The windows of a scan: what bodies on the host are told of one size, and all sizes of all targets
// where kernels can see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "compute/array.h"
#include "compute/plane.h"
#include "kernels/kernel_types.h"
#include "ops/ferns/fern_codes.h"

namespace cltrack {

// All windows of one size of a target and what the ferns look at in them.
struct ScanSize {
  int width = 0;
  int height = 0;
  std::span<const int> xs;             // left edges, rising
  std::span<const int> ys;             // top edges, rising
  std::uint32_t first = 0;             // index of the window at (xs[0], ys[0])
  std::span<const PixelPair> pairs;    // fern by fern
  std::uint64_t minimum_variance = 0;  // least scaled_variance() that passes
};

// The box of a window of this size, whose edges lie in `edges`, those of all windows.
inline BoundingBox box_of(std::uint32_t window, const WindowLayout& size,
                          const std::int32_t* edges) {
  const int place = static_cast<int>(window - size.first);
  return {static_cast<float>(edges[size.xs + place % size.columns]),
          static_cast<float>(edges[size.ys + place / size.columns]), static_cast<float>(size.width),
          static_cast<float>(size.height)};
}

// What is scanned for one target.
struct ScanTarget {
  std::span<const ScanSize> sizes;  // each one's `first` is where the one before ends, from 0 on
  int tables = 0;                   // slot of its fern tables
  std::uint32_t least_score = 0;    // that its best windows need
};

// The windows of all targets for host bodies, which may read them from several threads.
struct ScanWindowsView {
  std::span<const ScanJob> jobs;
  std::span<const WindowLayout> sizes;
  std::span<const std::int32_t> edges;
  std::span<const PixelPair> all_pairs;
  int pairs = 0;

  // `first` is the index among the windows of all targets.
  ScanSize size(std::size_t index) const;
  std::size_t size_of(std::uint32_t window) const;
  BoundingBox box(std::uint32_t window) const;
};

// All windows of all targets, one target's after the other's, and of each size by size. A target is
// a job; its windows have the index that they have in the target, plus ScanJob::first. Made once
// for the targets' grids.
struct ScanWindows {
  std::uint32_t count = 0;
  int pairs = 0;  // pixel pairs of each size, the same for all
  Array<ScanJob> jobs;
  Array<WindowLayout> sizes;
  Array<std::int32_t> edges;
  Array<PixelPair> all_pairs;
  Array<WindowPart> rows;          // the windows cut into rows, for CPUs
  Array<WindowPart> groups;        // into as many as a GPU's work-group looks at,
  std::vector<WindowPart> chunks;  // and into several rows each, for the host's threads

  void assign(std::span<const ScanTarget> targets);
  // Of one target, whose tables are in slot 0.
  void assign(std::span<const ScanSize> sizes_of_target);

  ScanWindowsView host_view() const;
  ScanSize size(std::size_t index) const { return host_view().size(index); }
  std::size_t size_of(std::uint32_t window) const { return host_view().size_of(window); }
  BoundingBox box(std::uint32_t window) const { return host_view().box(window); }
};

// Windows of a GPU's work-group, as kernels/ferns/scan.cl has it.
inline constexpr int kScanGroup = 64;

}  // namespace cltrack
