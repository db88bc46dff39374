// SPDX-License-Identifier: LGPL-2.1-or-later
// Teaches the ferns: samples are shown one after the other, and only those that the ensemble gets
// wrong change it.
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

// Visits the samples in the given order: indices of samples, each at most once. A positive counts
// if its score is at most `positive_score`, a negative if its score is at least `negative_score`;
// each time the posteriors follow at once.
void update_ferns(FernTables& tables, const FernSamples& samples,
                  std::span<const std::uint32_t> order, std::uint32_t positive_score,
                  std::uint32_t negative_score);

// The body, on tables that lie anywhere.
struct FernTableSpans {
  int ferns;
  int pairs;
  std::span<std::int32_t> positives;
  std::span<std::int32_t> negatives;
  std::span<std::uint16_t> posteriors;
};
void update_ferns_host(const FernTableSpans& tables, const FernSamples& samples,
                       std::span<const std::uint32_t> order, std::uint32_t positive_score,
                       std::uint32_t negative_score);

// Samples of several targets wherever they are needed. Each has a job: from its first_sample on,
// `positives` of them are positives, those behind are not. They have places in a row in which some
// places may be empty; samples and places are counted from the job's first one.
struct FernSampleArrays {
  int ferns = 0;
  Array<LearnJob> jobs;
  Array<std::uint16_t> codes;         // `ferns` of them for each sample
  Array<std::uint32_t> places;        // of each sample, rising
  Array<std::uint32_t> sample_count;  // of each job
  Array<std::uint32_t> place_count;   // of each job: empty ones are counted
  // What kernels of far_candidates() tell each other.
  Array<std::uint8_t> marks;
  Array<std::uint32_t> mark_counts;
  Array<std::uint32_t> ranges;

  // Takes the jobs, gives each the samples behind those of the job before, and makes the room that
  // they ask for; contents may be lost.
  void assign(int fern_count, std::span<const LearnJob> some);

  // Puts the samples of a job into these of `count` places. For each job, before any kernel runs.
  void set_places(std::size_t job, std::span<const std::uint32_t> rising, std::uint32_t count);
};

inline constexpr int kMaxBlocks = 16;

// The order in which samples are learnt: the places of a job are cut into `blocks` parts of equal
// length, the last one shorter, and what is first in each part comes first, then what is second in
// each, and so on. `blocks`: 1 to kMaxBlocks. `order` gets an entry for each sample, from the job's
// first_sample on: its number in the job. Does not wait. Throws Error.
void order_samples(Queue& queue, const FernSampleArrays& samples, int blocks,
                   Array<std::uint32_t>& order);

// The body. places[i] is that of sample i.
void order_samples_host(std::span<const std::uint32_t> places, std::uint32_t place_count,
                        int blocks, std::span<std::uint32_t> order);

// update_ferns() so many times, wherever the queue works, of each job with the tables in its slot,
// which no other job of the call has, and its positive score. `order` is as order_samples() leaves
// it. The tables stay there. A GPU's time grows with the number of a job's mistakes, because one
// work-group learns them one by one, and a little with that of samples. Does not wait. Throws
// Error.
void update_ferns(Queue& queue, const FernSampleArrays& samples, const Array<std::uint32_t>& order,
                  std::uint32_t negative_score, int passes, FernTableArrays& tables);

}  // namespace cltrack
