// SPDX-License-Identifier: LGPL-2.1-or-later
// The first two stages of the cascade over all windows: variance filter and ferns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cltrack/image_view.h"
#include "compute/array.h"
#include "ops/ferns/fern_codes.h"
#include "ops/ferns/fern_tables.h"
#include "ops/ferns/scan_windows.h"
#include "ops/planes/integral.h"

namespace cltrack {

struct Candidate {
  std::uint32_t window = 0;
  std::uint32_t score = 0;  // sum of posteriors, in 1/kPosteriorOne

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// Windows by rising index, and the codes that each fern gave them, from which the ferns can learn
// without the pixels.
struct CandidateList {
  std::vector<Candidate> windows;
  std::vector<std::uint16_t> codes;  // tables.ferns of them for each window

  void clear() {
    windows.clear();
    codes.clear();
  }
  friend bool operator==(const CandidateList&, const CandidateList&) = default;
};

// The same in memory of others.
struct CandidateView {
  std::span<const Candidate> windows;
  std::span<const std::uint16_t> codes;

  CandidateView() = default;
  CandidateView(std::span<const Candidate> some, std::span<const std::uint16_t> their_codes)
      : windows(some), codes(their_codes) {}
  CandidateView(const CandidateList& list) : windows(list.windows), codes(list.codes) {}
};

// The same on any device: the first count[0] entries are used, of the count[1] that were found.
// Those of a job lie together.
struct CandidateArrays {
  int ferns = 0;
  Array<Candidate> windows;
  Array<std::uint16_t> codes;  // `ferns` of them for each window
  Array<std::uint32_t> count;

  // These, all there are.
  void assign(int fern_count, const CandidateView& found);
  // There is room for all that were found: so many.
  void set_count(std::size_t all);
  // `capacity`: windows that there is room for.
  void resize(int fern_count, std::size_t capacity);
  // Shrinks the arrays to the candidates, so that copies have no unused room. Waits for the count.
  // The next scan makes room again.
  void trim();
  // Whether there was room for all that were found; if not, none are there. Waits.
  bool has_all() const { return count.host_read()[0] == count.host_read()[1]; }
  // Waits.
  CandidateView host_view() const {
    const auto used = windows.host_read().first(count.host_read()[0]);
    return {used, codes.host_read().first(used.size() * static_cast<std::size_t>(ferns))};
  }
};

// The memory that scan() needs beside its results.
struct ScanScratch {
  std::size_t room = 1 << 14;          // for so many candidates on a device
  Array<Candidate> windows{kScratch};  // those of a partition together
  Array<std::uint16_t> codes{kScratch};
  // The places of each partition: its first, and how many.
  Array<std::array<std::uint32_t, 2>> places{kScratch};
  Array<std::uint32_t> used;         // one entry: how many places are
  std::vector<CandidateList> lists;  // of each of the host's chunks
};

// Finds the windows in the regions of all jobs whose variance passes and whose score is at least
// `minimum_score`, by rising index, each size with the tables of its job. The ferns compare pixels
// of `blurred`, `integrals` are of the picture itself; both of the same size. Resizes `candidates`:
// on the host to those found, on a device to scratch.room. Few windows are found, and room for all
// of them would be most of what a stream needs: where it is not enough, make_room() and scan again.
// Does not wait. Throws Error.
void scan(Queue& queue, const Plane& blurred, const IntegralArrays& integrals,
          const ScanWindows& windows, const FernTableArrays& tables, std::uint32_t minimum_score,
          ScanScratch& scratch, CandidateArrays& candidates);

// Whether the scan had room for all. If not, none are kept, and the next one will have. Waits.
bool make_room(CandidateArrays& candidates, ScanScratch& scratch);

// The options of its programs.
std::string scan_options(int ferns, int pairs);

// Appends those among `windows` of the size.
namespace reference {
void scan_rows(const ImageView& blurred, const IntegralView& integrals, const ScanSize& size,
               const PosteriorView& tables, std::uint32_t minimum_score, const WindowRange& windows,
               CandidateList& candidates);
}
namespace vector {  // three to eight times as fast
void scan_rows(const ImageView& blurred, const IntegralView& integrals, const ScanSize& size,
               const PosteriorView& tables, std::uint32_t minimum_score, const WindowRange& windows,
               CandidateList& candidates);
}

// The best candidates of each target of a scan.

inline constexpr std::size_t kMaxBest = CLTRACK_MAX_BEST;

// The best windows on any device. Those of job j begin at entry j * `count`, as given to
// select_best(). The job has count[j] of them; the rest of its entries have index UINT32_MAX, score
// 0 and an empty box.
struct BestWindows {
  Array<Candidate> windows;
  Array<BoundingBox> boxes;
  Array<std::uint32_t> count;  // one for each job
  Array<std::uint32_t> found;  // how many candidates each job has, whatever their score
};

// Selects the `count` candidates of each job with the highest score, best first, ties by rising
// window index, among those whose score is at least its ScanJob::least_score. `count` is from 1 to
// kMaxBest. The time grows with the number of a job's candidates: one work-group reads them all,
// several times where more than CLTRACK_SELECT_KEYS have that score. Does not wait. Throws Error.
void select_best(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                 std::size_t count, BestWindows& best);

namespace reference {
// Keeps the best `count` of these, in that order.
void select_best(std::vector<Candidate>& candidates, std::size_t count);
}  // namespace reference

}  // namespace cltrack
