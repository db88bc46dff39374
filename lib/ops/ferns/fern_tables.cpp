// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/fern_tables.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/job_parts.h"

namespace cltrack {
namespace {

// The first `kept` values stay, the others are 0. There is no room for more: who adds slots knows
// how many there may be.
template <typename T>
void resize_kept(Array<T>& array, std::size_t size, std::size_t kept) {
  Array<T> resized(size);
  const std::span<T> values = resized.host_write();
  std::ranges::fill(values, T{});
  if (kept > 0) std::ranges::copy(array.host_read().first(kept), values.begin());
  array = std::move(resized);
}

template <typename T>
void put(std::span<const T> values, std::size_t first, Array<T>& array) {
  std::ranges::copy(values, array.host_update(first, values.size()).begin());
}

template <typename T>
void take(const Array<T>& array, std::size_t first, std::span<T> values) {
  std::ranges::copy(array.host_read().subspan(first, values.size()), values.begin());
}

}  // namespace

void FernTableArrays::check_slot(int slot, const char* op) const {
  if (slot >= 0 && slot < slots) return;
  throw Error(ErrorCode::invalid_argument, std::string(op) + ": slot " + std::to_string(slot) +
                                               " of the fern tables, there are " +
                                               std::to_string(slots) + ", counted from 0");
}

void FernTableArrays::resize(int fern_count, int pair_count, int slot_count) {
  const bool same = ferns == fern_count && pairs == pair_count;
  const std::size_t kept = same ? offset(std::min(slots, slot_count)) : 0;
  if (same && slots == slot_count) return;
  if (kept > 0) fetch();
  const std::size_t all =
      (static_cast<std::size_t>(fern_count) << pair_count) * static_cast<std::size_t>(slot_count);
  resize_kept(posteriors, all, kept);  // arrives last
  resize_kept(counts, all, kept);
  ferns = fern_count;
  pairs = pair_count;
  slots = slot_count;
}

void FernTableArrays::assign(const FernTables& tables) {
  ferns = tables.ferns;
  pairs = tables.pairs;
  slots = 1;
  counts.assign(tables.counts);
  posteriors.assign(tables.posteriors);
}

void FernTableArrays::assign(int slot, const FernTables& tables) {
  put<LeafCount>(tables.counts, offset(slot), counts);
  put<std::uint16_t>(tables.posteriors, offset(slot), posteriors);
}

void FernTableArrays::read(int slot, FernTables& tables) const {
  fetch();
  tables = FernTables(ferns, pairs);
  take<std::uint16_t>(posteriors, offset(slot), tables.posteriors);  // arrives last
  take<LeafCount>(counts, offset(slot), tables.counts);
}

void FernTableArrays::fetch() const {
  counts.fetch();
  posteriors.fetch();
}

void FernTableArrays::fetch(int slot, FernTableArrays& to) const {
  counts.fetch(offset(slot), entries(), to.counts);
  posteriors.fetch(offset(slot), entries(), to.posteriors);
  to.ferns = ferns;
  to.pairs = pairs;
  to.slots = 1;
}

namespace {

void count(const FernTableSpans& tables, const std::uint16_t* codes, bool positive) {
  for (int f = 0; f < tables.ferns; ++f) {
    const std::size_t leaf = (static_cast<std::size_t>(f) << tables.pairs) + codes[f];
    LeafCount& its = tables.counts[leaf];
    its = leaf_count(its.positives + (positive ? 1u : 0u), its.negatives + (positive ? 0u : 1u));
    tables.posteriors[leaf] = posterior(its);
  }
}

// Whether the score is at least `limit`. Most negatives are far below it: few ferns decide.
bool reaches(const FernTableSpans& tables, const std::uint16_t* codes, std::uint32_t limit) {
  std::uint32_t score = 0;
  auto left = static_cast<std::uint32_t>(tables.ferns) * kPosteriorOne;
  const std::uint16_t* posteriors = tables.posteriors.data();
  for (int f = 0; f < tables.ferns && score + left >= limit; ++f) {
    score += posteriors[codes[f]];
    left -= kPosteriorOne;
    posteriors += std::size_t{1} << tables.pairs;
  }
  return score >= limit;
}

}  // namespace

void reference::update_ferns(const FernTableSpans& tables, const FernSamples& samples,
                             std::span<const std::uint32_t> order, std::uint32_t positive_score,
                             std::uint32_t negative_score) {
  const PosteriorView view(tables.ferns, tables.pairs, tables.posteriors.data());
  for (const std::uint32_t sample : order) {
    const std::uint16_t* codes =
        samples.codes.data() + std::size_t{sample} * static_cast<std::size_t>(tables.ferns);
    const bool positive = samples.positive[sample] != 0;
    if (positive ? view.score(codes) <= positive_score : reaches(tables, codes, negative_score)) {
      count(tables, codes, positive);
    }
  }
}

void reference::order_samples(std::span<const std::uint32_t> places, std::uint32_t place_count,
                              int blocks, std::span<std::uint32_t> order) {
  const auto parts = static_cast<std::uint32_t>(blocks);
  const std::uint32_t block = (place_count + parts - 1) / parts;
  const auto below = [&](std::uint32_t place) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(places, place) - places.begin());
  };
  // The samples of each block that have not been taken yet.
  std::array<std::uint32_t, kMaxBlocks> next, end;
  for (std::uint32_t b = 0; b < parts; ++b) {
    next[b] = below(std::min(b * block, place_count));
    end[b] = below(std::min((b + 1) * block, place_count));
  }
  for (std::uint32_t& sample : order) {
    std::uint32_t first = UINT32_MAX, part = 0;  // the place within its part
    for (std::uint32_t b = 0; b < parts; ++b) {
      if (next[b] == end[b] || places[next[b]] - b * block >= first) continue;
      first = places[next[b]] - b * block;
      part = b;
    }
    sample = next[part]++;
  }
}

namespace {

constexpr int kOrderItems = 64;
static_assert(kOrderItems > kMaxBlocks);
constexpr int kOrderGroups = 64;

void order_on_host(Queue& queue, const FernSampleArrays& samples, int blocks,
                   std::span<std::uint32_t> order) {
  const auto jobs = samples.jobs.host_read();
  const auto places = samples.places.host_read();
  const auto sample_count = samples.sample_count.host_read();
  const auto place_count = samples.place_count.host_read();
  for_each_job(queue, jobs, [&](const LearnJob& job, std::size_t j) {
    const std::size_t first = job.first_sample;
    reference::order_samples(places.subspan(first, sample_count[j]), place_count[j], blocks,
                             order.subspan(first, sample_count[j]));
  });
}

void update_on_host(Queue& queue, const FernSampleArrays& samples,
                    const Array<std::uint32_t>& all_orders, std::uint32_t negative_score,
                    int passes, FernTableArrays& tables) {
  const auto jobs = samples.jobs.host_read();
  const auto codes = samples.codes.host_read();
  const auto sample_count = samples.sample_count.host_read();
  const auto orders = all_orders.host_read();
  const std::size_t entries = tables.entries();
  std::vector<FernTableSpans> slots;  // of the jobs; the others are not moved
  for (const LearnJob& job : jobs) {
    const std::size_t first = tables.offset(job.tables);
    slots.emplace_back(tables.ferns, tables.pairs, tables.counts.host_update(first, entries),
                       tables.posteriors.host_update(first, entries));
  }
  for_each_job(queue, jobs, [&](const LearnJob& job, std::size_t j) {
    std::vector<std::uint8_t> positive(sample_count[j]);
    std::fill_n(positive.begin(), job.positives, std::uint8_t{1});
    const auto its = codes.subspan(job.first_sample * static_cast<std::size_t>(samples.ferns));
    const auto order = orders.subspan(job.first_sample, sample_count[j]);
    for (int pass = 0; pass < passes; ++pass) {
      reference::update_ferns(slots[j], {its, positive}, order, job.positive_score, negative_score);
    }
  });
}

}  // namespace

void FernSampleArrays::assign(int fern_count, std::span<const LearnJob> some) {
  ferns = fern_count;
  jobs.assign(some);
  std::uint32_t count = 0;
  for (LearnJob& job : jobs.host_update()) {
    job.first_sample = count;
    count += job.positives + job.room;
  }
  codes.resize(std::size_t{count} * static_cast<std::size_t>(ferns));
  places.resize(count);
  sample_count.resize(some.size());
  place_count.resize(some.size());
}

void order_samples(Queue& queue, const FernSampleArrays& samples, int blocks,
                   Array<std::uint32_t>& order) {
  if (blocks < 1 || blocks > kMaxBlocks) {
    throw Error(ErrorCode::invalid_argument, "order_samples: " + std::to_string(blocks) +
                                                 " blocks, 1 to " + std::to_string(kMaxBlocks) +
                                                 " are allowed");
  }
  order.resize(samples.places.size());
  if (queue.is_host()) {
    order_on_host(queue, samples, blocks, order.host_write());
    return;
  }
  launch(queue, {"fern_update", "sample_order"},
         global(kOrderItems * kOrderGroups, samples.jobs.size()), local(kOrderItems, 1),
         in(samples.jobs), in(samples.places), in(samples.sample_count), in(samples.place_count),
         blocks, out(order));
}

void update_ferns(Queue& queue, const FernSampleArrays& samples, const Array<std::uint32_t>& order,
                  std::uint32_t negative_score, int passes, FernTableArrays& tables) {
  for (const LearnJob& job : samples.jobs.host_read()) {
    tables.check_slot(job.tables, "update_ferns");
  }
  if (queue.is_host()) {
    update_on_host(queue, samples, order, negative_score, passes, tables);
    return;
  }
  const KernelName name = {"fern_update", "update_ferns"};
  const std::uint64_t items = items_of_group(queue, name, kMaxFerns, CLTRACK_UPDATE_ITEMS);
  launch(queue, name, global(items * samples.jobs.size()), local(items), in(samples.jobs),
         in(samples.codes), in(order), in(samples.sample_count), tables.ferns, tables.pairs,
         negative_score, passes, inout(tables.counts), inout(tables.posteriors));
}

}  // namespace cltrack
