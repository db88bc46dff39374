// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>

#include "compute/launch.h"
#include "ops/ferns/scan.h"

namespace cltrack {
namespace {

constexpr int kScanItems = CLTRACK_SCAN_ITEMS;

// Groups of scan_gather(), at most: each adds up the counts of all partitions before its own.
constexpr int kMostGatherers = 512;

// Candidates that one more thread of the host copies, at least.
constexpr std::size_t kGatheredAtLeast = 8192;

// Copies the candidates of all threads together, in the order of the partitions.
void gather(Queue& queue, const std::vector<CandidateList>& lists, int ferns,
            CandidateArrays& candidates) {
  std::vector<std::size_t> starts;
  std::size_t count = 0;
  for (const CandidateList& list : lists) {
    starts.push_back(count);
    count += list.windows.size();
  }
  candidates.resize(ferns, count);
  candidates.count.host_write()[0] = static_cast<std::uint32_t>(count);
  const std::span<Candidate> windows = candidates.windows.host_write();
  const std::span<std::uint16_t> codes = candidates.codes.host_write();
  const std::size_t shares = std::min(lists.size(), 1 + count / kGatheredAtLeast);
  queue.run(static_cast<int>(shares), [&](int share) {
    const auto s = static_cast<std::size_t>(share);
    for (std::size_t i = s * lists.size() / shares; i < (s + 1) * lists.size() / shares; ++i) {
      std::ranges::copy(lists[i].windows, windows.data() + starts[i]);
      std::ranges::copy(lists[i].codes, codes.data() + starts[i] * static_cast<std::size_t>(ferns));
    }
  });
}

void scan_on_host(Queue& queue, const Plane& blurred, const IntegralArrays& integrals,
                  const ScanWindows& windows, const FernTableArrays& tables,
                  std::uint32_t minimum_score, ScanScratch& scratch, CandidateArrays& candidates) {
  const ImageView picture = blurred.host_view();
  const IntegralView sums = integrals.host_view();
  const ScanWindowsView view = windows.host_view();
  const std::uint16_t* posteriors = tables.posteriors.host_read().data();
  const std::vector<ScanChunk> chunks = windows.chunks();
  scratch.lists.resize(chunks.size());
  queue.run(static_cast<int>(chunks.size()), [&](int index) {
    const ScanChunk& chunk = chunks[static_cast<std::size_t>(index)];
    const auto job = static_cast<std::size_t>(view.sizes[chunk.size].job);
    CandidateList& list = scratch.lists[static_cast<std::size_t>(index)];
    list.clear();
    const std::size_t first = tables.offset(view.jobs[job].tables);
    vector::scan_rows(picture, sums, view.size(chunk.size),
                      {tables.ferns, tables.pairs, posteriors + first}, minimum_score,
                      chunk.windows, list);
  });
  gather(queue, scratch.lists, tables.ferns, candidates);
}

}  // namespace

std::string scan_options(int ferns, int pairs) {
  return "-DFERNS=" + std::to_string(ferns) + " -DPAIRS=" + std::to_string(pairs);
}

void CandidateArrays::resize(int fern_count, std::size_t capacity) {
  ferns = fern_count;
  windows.resize(capacity);
  codes.resize(capacity * static_cast<std::size_t>(ferns));
  count.resize(1);
}

void CandidateArrays::trim() { resize(ferns, count.host_read()[0]); }

void scan(Queue& queue, const Plane& blurred, const IntegralArrays& integrals,
          const ScanWindows& windows, const FernTableArrays& tables, std::uint32_t minimum_score,
          ScanScratch& scratch, CandidateArrays& candidates) {
  for (const ScanJob& job : windows.jobs.host_read()) tables.check_slot(job.tables, "scan");
  if (queue.is_host()) {
    scan_on_host(queue, blurred, integrals, windows, tables, minimum_score, scratch, candidates);
    return;
  }
  candidates.resize(tables.ferns, windows.count);
  const bool by_rows = queue.device().is_cpu();
  const Array<WindowPart>& parts = by_rows ? windows.rows : windows.groups;
  const auto part_count = static_cast<int>(parts.size());
  if (part_count == 0) {
    candidates.count.host_write()[0] = 0;
    return;
  }
  const std::string options = scan_options(tables.ferns, tables.pairs);
  scratch.windows.resize(candidates.windows.size());
  scratch.codes.resize(candidates.codes.size());
  scratch.counts.resize(parts.size());
  if (by_rows) {
    launch(queue, {"scan_cpu", "scan_rows", options}, global(part_count), local(1),
           in(blurred.pixels), blurred.layout, in(integrals.sums), in(integrals.squares),
           in(windows.jobs), in(windows.regions), in(windows.sizes), in(windows.edges),
           in(windows.all_pairs), in(parts), part_count, in(tables.posteriors), minimum_score,
           out(scratch.windows), out(scratch.codes), out(scratch.counts));
    launch(queue, {"scan_cpu", "gather_rows", options}, global(1), local(1), in(parts), part_count,
           in(scratch.counts), in(scratch.windows), in(scratch.codes), out(candidates.windows),
           out(candidates.codes), out(candidates.count));
  } else {
    launch(queue, {"scan", "scan_groups", options}, global(part_count * kScanItems),
           local(kScanItems), in(blurred.pixels), blurred.layout, in(integrals.sums),
           in(integrals.squares), in(windows.jobs), in(windows.regions), in(windows.sizes),
           in(windows.edges), in(windows.all_pairs), in(parts), in(tables.posteriors),
           minimum_score, out(scratch.windows), out(scratch.codes), out(scratch.counts));
    const int parts_each =
        std::max(CLTRACK_SCAN_GATHERED, (part_count + kMostGatherers - 1) / kMostGatherers);
    const int groups = (part_count + parts_each - 1) / parts_each;
    launch(queue, {"scan", "scan_gather", options}, global(groups * kScanItems), local(kScanItems),
           in(parts), part_count, parts_each, in(scratch.counts), in(scratch.windows),
           in(scratch.codes), out(candidates.windows), out(candidates.codes),
           out(candidates.count));
  }
}

}  // namespace cltrack
