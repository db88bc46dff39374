// SPDX-License-Identifier: LGPL-2.1-or-later
// Tables of the ferns of all targets, and how they learn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// The tables of the fern ensemble: for each fern and each code, how often it was observed on the
// target and elsewhere, and the posterior. All integers, so that every device computes the same.

// Posteriors in 1.15 fixed point: kPosteriorOne stands for 1.
inline constexpr std::uint32_t kPosteriorOne = CLTRACK_POSTERIOR_ONE;

inline constexpr int kMaxFerns = CLTRACK_MAX_FERNS;
inline constexpr int kMaxPairs = CLTRACK_MAX_PAIRS;

inline bool operator==(const LeafCount& a, const LeafCount& b) {
  return a.positives == b.positives && a.negatives == b.negatives;
}

// Both numbers have 16 bits. Where one would not fit, both are halved until they do, rounded up:
// what was observed once stays observed, and the posterior about what it was.
inline LeafCount leaf_count(std::uint32_t positives, std::uint32_t negatives) {
  while (std::max(positives, negatives) > std::numeric_limits<std::uint16_t>::max()) {
    positives -= positives / 2;
    negatives -= negatives / 2;
  }
  return {static_cast<std::uint16_t>(positives), static_cast<std::uint16_t>(negatives)};
}

// positives / (positives + negatives), 0 if never observed. Rounded down, so that less than certain
// is never kPosteriorOne.
inline std::uint16_t posterior(LeafCount count) {
  const std::uint32_t all = std::uint32_t{count.positives} + count.negatives;
  return all == 0 ? std::uint16_t{0}
                  : static_cast<std::uint16_t>(count.positives * kPosteriorOne / all);
}

struct FernTables {
  int ferns = 0;
  int pairs = 0;
  // Entry (fern << pairs) + code:
  std::vector<LeafCount> counts;
  std::vector<std::uint16_t> posteriors;

  friend bool operator==(const FernTables&, const FernTables&) = default;

  FernTables() = default;
  FernTables(int fern_count, int pair_count) : ferns(fern_count), pairs(pair_count) {
    const std::size_t entries = static_cast<std::size_t>(ferns) << pairs;
    counts.resize(entries);
    posteriors.resize(entries);
  }
};

// The posteriors of such tables, for host bodies.
struct PosteriorView {
  int ferns = 0;
  int pairs = 0;
  const std::uint16_t* posteriors = nullptr;

  PosteriorView() = default;
  PosteriorView(int fern_count, int pair_count, const std::uint16_t* values)
      : ferns(fern_count), pairs(pair_count), posteriors(values) {}
  PosteriorView(const FernTables& tables)
      : PosteriorView(tables.ferns, tables.pairs, tables.posteriors.data()) {}

  // Sum of the posteriors of one window's codes (one per fern): 0 to ferns * kPosteriorOne.
  std::uint32_t score(const std::uint16_t* codes) const {
    std::uint32_t sum = 0;
    for (int f = 0; f < ferns; ++f)
      sum += posteriors[(static_cast<std::size_t>(f) << pairs) + codes[f]];
    return sum;
  }
};

// Tables of several ensembles with equal numbers of ferns and pairs on any device, each in a slot.
struct FernTableArrays {
  int ferns = 0;
  int pairs = 0;
  int slots = 0;
  // Slot s begins at offset(s).
  Array<LeafCount> counts;
  Array<std::uint16_t> posteriors;

  std::size_t entries() const { return static_cast<std::size_t>(ferns) << pairs; }
  std::size_t offset(int slot) const { return static_cast<std::size_t>(slot) * entries(); }

  // Throws Error{invalid_argument} that begins with `op` if there is no such slot.
  void check_slot(int slot, const char* op) const;

  // Sets the number of slots. Slots keep their contents if the numbers of ferns and pairs stay; new
  // slots are empty. Copies the contents to the host and waits, if there are any.
  void resize(int fern_count, int pair_count, int slot_count);

  // One slot with these.
  void assign(const FernTables& tables);
  // Replaces those of one slot.
  void assign(int slot, const FernTables& tables);
  // Copies those of a slot to the host; waits, once for all slots.
  void read(int slot, FernTables& tables) const;
  // Starts copying all to the host.
  void fetch() const;
  // Starts copying those of a slot to the host memory of `to`, which has no others then.
  void fetch(int slot, FernTableArrays& to) const;
  PosteriorView host_view(int slot) const {
    return {ferns, pairs, posteriors.host_read().data() + offset(slot)};
  }
};

// Training of the ferns (bootstrapping): samples are taken one after the other, and only those that
// the ensemble classifies wrongly change it.

// Codes of many samples, tables.ferns of them each.
struct FernSamples {
  std::span<const std::uint16_t> codes;
  std::span<const std::uint8_t> positive;  // 1 or 0 for each sample
};

// Tables in memory of others.
struct FernTableSpans {
  int ferns;
  int pairs;
  std::span<LeafCount> counts;
  std::span<std::uint16_t> posteriors;

  FernTableSpans(FernTables& tables)
      : FernTableSpans(tables.ferns, tables.pairs, tables.counts, tables.posteriors) {}
  FernTableSpans(int fern_count, int pair_count, std::span<LeafCount> observed,
                 std::span<std::uint16_t> values)
      : ferns(fern_count), pairs(pair_count), counts(observed), posteriors(values) {}
};

// Samples of several targets on any device. Each target has a job: its samples begin at
// first_sample, first its `positives` positives, then its negatives. Each sample has a place; some
// places may be empty. Samples and places are counted from the job's first one.
struct FernSampleArrays {
  int ferns = 0;
  Array<LearnJob> jobs;
  Array<std::uint16_t> codes;         // `ferns` of them for each sample
  Array<std::uint32_t> places;        // of each sample, rising
  Array<std::uint32_t> sample_count;  // of each job
  Array<std::uint32_t> place_count;   // of each job: empty ones are counted
  // far_candidates() needs these on devices.
  Array<std::uint8_t> marks{kScratch};
  Array<std::uint32_t> mark_counts{kScratch};
  Array<std::uint32_t> ranges{kScratch};

  // `use`: of all but the jobs.
  explicit FernSampleArrays(Memory::Use use = Memory::Use::kept)
      : codes(use), places(use), sample_count(use), place_count(use) {}

  // Takes the jobs, sets their first_sample so that one job's samples follow the other's, and makes
  // room for them; contents may be lost.
  void assign(int fern_count, std::span<const LearnJob> some);
};

inline constexpr int kMaxBlocks = CLTRACK_MAX_BLOCKS;

// The order in which samples are learnt. The places of a job are divided into `blocks` of equal
// length, the last one shorter. The samples on the first place of each block come first, then those
// on the second places, and so on. `blocks`: 1 to kMaxBlocks. `order` gets an entry for each
// sample, from the job's first_sample on: its number in the job. Does not wait. Throws Error.
void order_samples(Queue& queue, const FernSampleArrays& samples, int blocks,
                   Array<std::uint32_t>& order);

// `passes` times for each job: takes its samples in the order that order_samples() gave them and
// counts those that are classified wrongly: positives whose score is at most the job's positive
// score, negatives whose score is at least `negative_score`. Posteriors follow at once. The tables
// are those in the job's slot, which no other job of the call has; they stay on the device. A GPU's
// time grows with the number of a job's mistakes, because one work-group learns them one by one,
// and a little with that of samples. Does not wait. Throws Error.
void update_ferns(Queue& queue, const FernSampleArrays& samples, const Array<std::uint32_t>& order,
                  std::uint32_t negative_score, int passes, FernTableArrays& tables);

namespace reference {
// The order of one job. places[i] is that of sample i.
void order_samples(std::span<const std::uint32_t> places, std::uint32_t place_count, int blocks,
                   std::span<std::uint32_t> order);
// One pass of one job. `order` has indices of samples, each at most once.
void update_ferns(const FernTableSpans& tables, const FernSamples& samples,
                  std::span<const std::uint32_t> order, std::uint32_t positive_score,
                  std::uint32_t negative_score);
}  // namespace reference

}  // namespace cltrack
