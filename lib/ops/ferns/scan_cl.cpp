// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>

#include "compute/launch.h"
#include "ops/ferns/scan.h"

namespace cltrack {
namespace {

// As kernels/ferns/scan.cl has them.
constexpr int kScanItems = 256;
constexpr int kGathered = 16;

// Each adds up what is before its own parts, so they must not be too many.
constexpr int kMostGatherers = 512;

void scan_on_host(Plane& blurred, IntegralArrays& integrals, ScanWindows& windows,
                  FernTableArrays& tables, std::uint32_t minimum_score,
                  CandidateArrays& candidates) {
  CandidateList list;
  for (std::size_t i = 0; i < windows.sizes.size(); ++i) {
    const ScanSize size = windows.size(i);
    scan_rows_vector(blurred.host_view(), integrals.host_view(), size, tables.host_view(),
                     minimum_score, 0, static_cast<int>(size.ys.size()), list);
  }
  std::copy(list.windows.begin(), list.windows.end(), candidates.windows.host_write().begin());
  std::copy(list.codes.begin(), list.codes.end(), candidates.codes.host_write().begin());
  candidates.count.host_write()[0] = static_cast<std::uint32_t>(list.windows.size());
}

}  // namespace

void CandidateArrays::resize(int fern_count, std::size_t capacity) {
  ferns = fern_count;
  windows.resize(capacity);
  codes.resize(capacity * static_cast<std::size_t>(ferns));
  count.resize(1);
}

void CandidateArrays::trim() { resize(ferns, count.host_read()[0]); }

void scan(Queue& queue, Plane& blurred, IntegralArrays& integrals, ScanWindows& windows,
          FernTableArrays& tables, std::uint32_t minimum_score, ScanScratch& scratch,
          CandidateArrays& candidates) {
  candidates.resize(tables.ferns, windows.count);
  if (queue.is_host()) {
    scan_on_host(blurred, integrals, windows, tables, minimum_score, candidates);
    return;
  }
  const bool by_rows = queue.device().is_cpu();
  Array<WindowPart>& parts = by_rows ? windows.rows : windows.groups;
  const auto part_count = static_cast<int>(parts.size());
  if (part_count == 0) {
    candidates.count.host_write()[0] = 0;
    return;
  }
  const std::string options =
      "-DFERNS=" + std::to_string(tables.ferns) + " -DPAIRS=" + std::to_string(tables.pairs);
  scratch.windows.resize(candidates.windows.size());
  scratch.codes.resize(candidates.codes.size());
  scratch.counts.resize(parts.size());
  if (by_rows) {
    launch(queue, {"scan_rows", "scan_rows", options}, global(part_count), local(1),
           in(blurred.pixels), blurred.layout, in(integrals.sums), in(integrals.squares),
           in(windows.sizes), in(windows.edges), in(windows.all_pairs), in(parts), part_count,
           in(tables.posteriors), minimum_score, out(scratch.windows), out(scratch.codes),
           out(scratch.counts));
    launch(queue, {"scan_rows", "gather_rows", options}, global(1), local(1), in(parts), part_count,
           in(scratch.counts), in(scratch.windows), in(scratch.codes), out(candidates.windows),
           out(candidates.codes), out(candidates.count));
  } else {
    launch(queue, {"scan", "scan_groups", options}, global(part_count * kScanItems),
           local(kScanItems), in(blurred.pixels), blurred.layout, in(integrals.sums),
           in(integrals.squares), in(windows.sizes), in(windows.edges), in(windows.all_pairs),
           in(parts), in(tables.posteriors), minimum_score, out(scratch.windows),
           out(scratch.codes), out(scratch.counts));
    const int parts_each = std::max(kGathered, (part_count + kMostGatherers - 1) / kMostGatherers);
    const int groups = (part_count + parts_each - 1) / parts_each;
    launch(queue, {"scan", "scan_gather", options}, global(groups * kScanItems), local(kScanItems),
           in(parts), part_count, parts_each, in(scratch.counts), in(scratch.windows),
           in(scratch.codes), out(candidates.windows), out(candidates.codes),
           out(candidates.count));
  }
}

}  // namespace cltrack
