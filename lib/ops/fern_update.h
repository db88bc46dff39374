// SPDX-License-Identifier: LGPL-2.1-or-later
// Teaches the ferns: samples are shown one after the other, and only those that the ensemble gets
// wrong change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compute/array.h"
#include "ops/fern_tables.h"

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

// Stands for a place in the order of learning that holds no sample.
inline constexpr std::uint32_t kNoSample = UINT32_MAX;

// Samples wherever they are needed: the first `positives` of them are positives, the others not.
struct FernSampleArrays {
  int ferns = 0;
  std::uint32_t positives = 0;
  Array<std::uint16_t> codes;         // `ferns` of them for each sample
  Array<std::uint32_t> places;        // indices of samples, or kNoSample
  Array<std::uint32_t> sample_count;  // one entry
  Array<std::uint32_t> place_count;   // one entry
  Array<std::uint8_t> marks;          // of far_candidates() on a device

  // Makes room; contents may be lost.
  void resize(int fern_count, std::size_t positive_count, std::size_t most_negatives);

  // Makes these the places, each sample in one of them.
  void set_places(std::span<const std::uint32_t> order);
};

struct SampleOrder {
  Array<std::uint32_t> samples;
  Array<std::uint32_t> count;  // one entry
};

// The order in which the samples of the places are learnt: with the places cut into `blocks` parts
// of equal length, the last one shorter, the first of each part, then the second of each, and so
// on. Does not wait. Throws Error.
void order_samples(Queue& queue, FernSampleArrays& samples, int blocks, SampleOrder& order);

// update_ferns() so many times, wherever the queue works. The tables stay there. One work-group;
// the time grows with the number of samples that are learnt, and with a sixteenth of the others.
// Does not wait. Throws Error.
void update_ferns(Queue& queue, FernTableArrays& tables, FernSampleArrays& samples,
                  SampleOrder& order, std::uint32_t positive_score, std::uint32_t negative_score,
                  int passes);

}  // namespace cltrack
