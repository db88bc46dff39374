// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/scan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "core/processor.h"
#include "ops/job_parts.h"

namespace cltrack {

void reference::scan_rows(const ImageView& blurred, const IntegralView& integrals,
                          const ScanSize& size, const PosteriorView& tables,
                          std::uint32_t minimum_score, const WindowRange& windows,
                          CandidateList& candidates) {
  const std::vector<std::int32_t> offsets = linear_offsets(size.pairs, blurred.stride);
  std::array<std::uint16_t, kMaxFerns> codes;
  for (int r = windows.first_row; r < windows.last_row; ++r) {
    const int y = size.ys[static_cast<std::size_t>(r)];
    const std::uint8_t* row = blurred.row(y);
    const std::uint32_t row_index =
        size.first + static_cast<std::uint32_t>(r * std::ssize(size.xs));
    const WindowRange::Columns columns = windows.columns(r, static_cast<int>(size.xs.size()));
    const auto last_column = static_cast<std::size_t>(columns.last);
    for (auto c = static_cast<std::size_t>(columns.first); c < last_column; ++c) {
      const int x = size.xs[c];
      if (scaled_variance(integrals, x, y, size.width, size.height) < size.minimum_variance)
        continue;
      const std::uint8_t* window = row + x;
      const std::int32_t* offset = offsets.data();
      const std::uint16_t* posteriors = tables.posteriors;
      std::uint32_t score = 0;
      for (int f = 0; f < tables.ferns; ++f) {
        // Posteriors of 1 of all other ferns would not be enough.
        const auto left = static_cast<std::uint32_t>(tables.ferns - f) * kPosteriorOne;
        if (score + left < minimum_score) break;
        std::uint32_t code = 0;
        for (int p = 0; p < tables.pairs; ++p, offset += 2) {
          code = 2 * code + (window[offset[0]] > window[offset[1]] ? 1u : 0u);
        }
        codes[static_cast<std::size_t>(f)] = static_cast<std::uint16_t>(code);
        score += posteriors[code];
        posteriors += std::size_t{1} << tables.pairs;
      }
      if (score < minimum_score) continue;
      candidates.windows.push_back({row_index + static_cast<std::uint32_t>(c), score});
      candidates.codes.insert(candidates.codes.end(), codes.begin(), codes.begin() + tables.ferns);
    }
  }
}

// The scan on vectors of bytes. Neighbouring windows of a row compare neighbouring pixels, so one
// comparison of two vectors gives a pair's bit for all columns of a block at once, whether or not
// the grid has a window in each of them. Blocks begin at windows that passed the variance filter.

namespace {

// The windows of a row that passed the variance filter.
struct Row {
  std::vector<std::uint32_t> columns;  // of the grid
  std::vector<std::uint32_t> xs;       // left edges
  std::vector<std::size_t> blocks;     // first pixel column of each block
  std::vector<std::uint32_t> scores;
  std::vector<std::uint16_t> codes;  // fern by fern
  std::vector<std::uint8_t> high;    // of the current fern, for each pixel column in a block: the
  std::vector<std::uint8_t> low;     //   code's bits from 8 on, and those below 8
};

using Bytes16 [[gnu::vector_size(16)]] = std::uint8_t;
using Bytes32 [[gnu::vector_size(32)]] = std::uint8_t;

// Compares `pairs` pairs of pixels at each of sizeof(Bytes) neighbouring columns and shifts the
// results into one byte a column.
template <typename Bytes>
[[gnu::always_inline]] inline void compare(const std::uint8_t* window, const std::int32_t* offsets,
                                           int pairs, std::uint8_t* bits) {
  Bytes sum = {};
  for (int p = 0; p < pairs; ++p) {
    Bytes first, second;
    std::memcpy(&first, window + offsets[2 * p], sizeof(Bytes));
    std::memcpy(&second, window + offsets[2 * p + 1], sizeof(Bytes));
    const Bytes brighter = reinterpret_cast<Bytes>(first > second);  // 0, or all bits: -1
    sum = sum + sum - brighter;
  }
  std::memcpy(bits, &sum, sizeof(Bytes));
}

template <typename Bytes>
[[gnu::always_inline]] inline void compare_blocks(const std::uint8_t* pixels,
                                                  const std::int32_t* offsets, int pairs,
                                                  Row& row) {
  const int high = std::max(pairs - 8, 0);
  for (const std::size_t x : row.blocks) {
    compare<Bytes>(pixels + x, offsets, high, row.high.data() + x);
    compare<Bytes>(pixels + x, offsets + 2 * high, pairs - high, row.low.data() + x);
  }
}

struct Body {
  int lanes;
  void (*compare_blocks)(const std::uint8_t* pixels, const std::int32_t* offsets, int pairs,
                         Row& row);
};

void compare_16(const std::uint8_t* pixels, const std::int32_t* offsets, int pairs, Row& row) {
  compare_blocks<Bytes16>(pixels, offsets, pairs, row);
}
CLTRACK_AVX2 void compare_32(const std::uint8_t* pixels, const std::int32_t* offsets, int pairs,
                             Row& row) {
  compare_blocks<Bytes32>(pixels, offsets, pairs, row);
}

// Fills row.columns and row.blocks; `last_block` is the last column at which a block may start.
void filter(const IntegralView& integrals, const ScanSize& size, int y,
            const WindowRange::Columns& columns, int lanes, int last_block, Row& row) {
  row.columns.clear();
  row.xs.clear();
  row.blocks.clear();
  int covered = 0;  // columns under it are in a block
  const auto last_column = static_cast<std::size_t>(columns.last);
  for (auto c = static_cast<std::size_t>(columns.first); c < last_column; ++c) {
    const int x = size.xs[c];
    if (scaled_variance(integrals, x, y, size.width, size.height) < size.minimum_variance) continue;
    row.columns.push_back(static_cast<std::uint32_t>(c));
    row.xs.push_back(static_cast<std::uint32_t>(x));
    if (x < covered) continue;
    const int start = std::min(x, last_block);
    row.blocks.push_back(static_cast<std::size_t>(start));
    covered = start + lanes;
  }
}

// Appends the windows with the least score to the candidates.
void append(const Row& row, std::size_t ferns, std::uint32_t minimum_score, std::uint32_t row_index,
            CandidateList& candidates) {
  const std::size_t count = row.scores.size();
  const auto enough = [&](std::uint32_t score) { return score >= minimum_score; };
  const auto found =
      static_cast<std::size_t>(std::count_if(row.scores.begin(), row.scores.end(), enough));
  const std::size_t first = candidates.codes.size();
  candidates.codes.resize(first + found * ferns);
  std::uint16_t* codes = candidates.codes.data() + first;
  for (std::size_t i = 0; i < count; ++i) {
    if (!enough(row.scores[i])) continue;
    candidates.windows.push_back({row_index + row.columns[i], row.scores[i]});
    for (std::size_t f = 0; f < ferns; ++f) *codes++ = row.codes[f * count + i];
  }
}

}  // namespace

void vector::scan_rows(const ImageView& blurred, const IntegralView& integrals,
                       const ScanSize& size, const PosteriorView& tables,
                       std::uint32_t minimum_score, const WindowRange& windows,
                       CandidateList& candidates) {
  static const auto body = fastest_body<Body>({16, compare_16}, {32, compare_32});
  const int last_block = blurred.width - size.width + 1 - body.lanes;
  if (last_block < 0) {
    reference::scan_rows(blurred, integrals, size, tables, minimum_score, windows, candidates);
    return;
  }
  const std::vector<std::int32_t> offsets = linear_offsets(size.pairs, blurred.stride);
  const auto ferns = static_cast<std::size_t>(tables.ferns);
  const auto pairs = static_cast<std::size_t>(tables.pairs);
  Row row;
  row.high.resize(static_cast<std::size_t>(blurred.width));
  row.low.resize(static_cast<std::size_t>(blurred.width));
  for (int r = windows.first_row; r < windows.last_row; ++r) {
    const WindowRange::Columns columns = windows.columns(r, static_cast<int>(size.xs.size()));
    if (columns.count() <= 0) continue;
    const int y = size.ys[static_cast<std::size_t>(r)];
    filter(integrals, size, y, columns, body.lanes, last_block, row);
    const std::size_t count = row.columns.size();
    row.scores.assign(count, 0);
    row.codes.resize(count * ferns);
    for (std::size_t f = 0; f < ferns; ++f) {
      body.compare_blocks(blurred.row(y), offsets.data() + f * 2 * pairs, tables.pairs, row);
      const std::uint16_t* posteriors = tables.posteriors + (f << tables.pairs);
      std::uint16_t* codes = row.codes.data() + f * count;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t x = row.xs[i];
        codes[i] = static_cast<std::uint16_t>(row.high[x] << 8 | row.low[x]);
        row.scores[i] += posteriors[codes[i]];
      }
    }
    const std::uint32_t row_index =
        size.first + static_cast<std::uint32_t>(r * std::ssize(size.xs));
    append(row, ferns, minimum_score, row_index, candidates);
  }
}

namespace {

// The items of a group of scan_groups(), at most: one for each window.
constexpr std::uint64_t kMostScanItems = CLTRACK_SCAN_PARTS * CLTRACK_PART_WINDOWS;
constexpr int kGatherItems = CLTRACK_GATHER_ITEMS;

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
  candidates.set_count(count);
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
  count.resize(2);
}

void CandidateArrays::assign(int fern_count, const CandidateView& found) {
  resize(fern_count, found.windows.size());
  std::ranges::copy(found.windows, windows.host_write().begin());
  std::ranges::copy(found.codes, codes.host_write().begin());
  set_count(found.windows.size());
}

void CandidateArrays::set_count(std::size_t all) {
  std::ranges::fill(count.host_write(), static_cast<std::uint32_t>(all));
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
  candidates.resize(tables.ferns, std::min<std::size_t>(windows.count, scratch.room));
  const Array<WindowPart>& parts = windows.parts;
  const auto part_count = static_cast<int>(parts.size());
  if (part_count == 0) {
    candidates.set_count(0);
    return;
  }
  const std::string options = scan_options(tables.ferns, tables.pairs);
  scratch.windows.resize(candidates.windows.size());
  scratch.codes.resize(candidates.codes.size());
  scratch.places.resize(parts.size());
  scratch.used.assign(std::array<std::uint32_t, 1>{});
  const auto capacity = static_cast<std::uint32_t>(candidates.windows.size());
  const KernelName name = {"scan", "scan_groups", options};
  const std::uint64_t items = items_of_group(queue, name, 2, kMostScanItems);
  const std::uint64_t scanners = (parts.size() + CLTRACK_SCAN_PARTS - 1) / CLTRACK_SCAN_PARTS;
  launch(queue, name, global(scanners * items), local(items), in(blurred.pixels), blurred.layout,
         in(integrals.sums), in(integrals.squares), in(windows.jobs), in(windows.regions),
         in(windows.sizes), in(windows.edges), in(windows.all_pairs), part_count, in(parts),
         in(tables.posteriors), minimum_score, out(scratch.windows), out(scratch.codes), capacity,
         out(scratch.places), inout(scratch.used));
  const int parts_each =
      std::max(CLTRACK_GATHER_PARTS, (part_count + kMostGatherers - 1) / kMostGatherers);
  const int groups = (part_count + parts_each - 1) / parts_each;
  launch(queue, {"scan", "scan_gather", options}, global(groups * kGatherItems),
         local(kGatherItems), part_count, parts_each, in(scratch.places), in(scratch.windows),
         in(scratch.codes), capacity, out(candidates.windows), out(candidates.codes),
         out(candidates.count));
  discard(scratch.places, scratch.windows, scratch.codes);
}

bool make_room(CandidateArrays& candidates, ScanScratch& scratch) {
  if (candidates.has_all()) return true;
  const std::size_t found = candidates.count.host_read()[1];
  scratch.room = found + found / 8;
  // Arrays that grow have both, and spare room of their own.
  candidates.windows = {};
  candidates.codes = {};
  return false;
}

void reference::select_best(std::vector<Candidate>& candidates, std::size_t count) {
  const auto better = [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.window < b.window;
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(count, candidates.size()));
  std::partial_sort(candidates.begin(), candidates.begin() + kept, candidates.end(), better);
  candidates.resize(static_cast<std::size_t>(kept));
}

namespace {

// kernels/ferns/select_best.cl: keys that differ in the last digit alone must fit, too.
static_assert(CLTRACK_SELECT_KEYS >= kMaxBest + 4);

void select_on_host(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                    std::size_t count, BestWindows& best) {
  const std::span<const Candidate> all = candidates.host_view().windows;
  const ScanWindowsView view = windows.host_view();
  const std::span<Candidate> chosen = best.windows.host_write();
  const std::span<BoundingBox> boxes = best.boxes.host_write();
  const std::span<std::uint32_t> counts = best.count.host_write();
  const std::span<std::uint32_t> found = best.found.host_write();
  for_each_job(queue, view.jobs, [&](const ScanJob& job, std::size_t j) {
    std::vector<Candidate> list;
    const auto begin = std::ranges::lower_bound(all, job.first, {}, &Candidate::window);
    auto own = begin;
    for (; own != all.end() && own->window - job.first < job.count; ++own) {
      if (own->score >= job.least_score) list.push_back(*own);
    }
    found[j] = static_cast<std::uint32_t>(own - begin);
    reference::select_best(list, count);
    counts[j] = static_cast<std::uint32_t>(list.size());
    for (std::size_t i = 0; i < count; ++i) {
      const bool used = i < list.size();
      chosen[j * count + i] = used ? list[i] : Candidate{UINT32_MAX, 0};
      boxes[j * count + i] = used ? view.box(list[i].window) : BoundingBox{};
    }
  });
}

}  // namespace

void select_best(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                 std::size_t count, BestWindows& best) {
  if (count < 1 || count > kMaxBest) {
    throw Error(ErrorCode::invalid_argument, "the best " + std::to_string(count) +
                                                 " windows: must be from 1 to " +
                                                 std::to_string(kMaxBest));
  }
  const std::size_t jobs = windows.jobs.size();
  best.windows.resize(jobs * count);
  best.boxes.resize(jobs * count);
  best.count.resize(jobs);
  best.found.resize(jobs);
  if (queue.is_host()) {
    select_on_host(queue, candidates, windows, count, best);
    return;
  }
  const int wanted = static_cast<int>(count);
  const KernelName name = {"select_best", "select_best"};
  const std::uint64_t items = items_of_group(queue, name, 2, CLTRACK_SELECT_KEYS);
  launch(queue, name, global(jobs * items), local(items), in(candidates.windows),
         in(candidates.count), in(windows.jobs), wanted, in(windows.sizes), in(windows.edges),
         out(best.windows), out(best.boxes), out(best.count), out(best.found));
}

}  // namespace cltrack
