// SPDX-License-Identifier: LGPL-2.1-or-later
// Training of the ferns (bootstrapping): samples are taken one after the other, and only those that
// the ensemble classifies wrongly change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compute/array.h"
#include "kernels/kernel_types.h"
#include "ops/ferns/fern_tables.h"

namespace cltrack {

// Codes of many samples, tables.ferns of them each.
struct FernSamples {
  std::span<const std::uint16_t> codes;
  std::span<const std::uint8_t> positive;  // 1 or 0 for each sample
};

// Tables in memory of others.
struct FernTableSpans {
  int ferns;
  int pairs;
  std::span<std::int32_t> positives;
  std::span<std::int32_t> negatives;
  std::span<std::uint16_t> posteriors;

  FernTableSpans(FernTables& tables)
      : FernTableSpans(tables.ferns, tables.pairs, tables.positives, tables.negatives,
                       tables.posteriors) {}
  FernTableSpans(int fern_count, int pair_count, std::span<std::int32_t> positive_counts,
                 std::span<std::int32_t> negative_counts, std::span<std::uint16_t> values)
      : ferns(fern_count),
        pairs(pair_count),
        positives(positive_counts),
        negatives(negative_counts),
        posteriors(values) {}
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
  // Scratch of far_candidates() on devices.
  Array<std::uint8_t> marks;
  Array<std::uint32_t> mark_counts;
  Array<std::uint32_t> ranges;

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
// Of one job. places[i] is that of sample i.
void order_samples(std::span<const std::uint32_t> places, std::uint32_t place_count, int blocks,
                   std::span<std::uint32_t> order);
// One pass of one job. `order` has indices of samples, each at most once.
void update_ferns(const FernTableSpans& tables, const FernSamples& samples,
                  std::span<const std::uint32_t> order, std::uint32_t positive_score,
                  std::uint32_t negative_score);
}  // namespace reference

}  // namespace cltrack
