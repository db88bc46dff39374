// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/ferns/fern_update.h"

namespace cltrack {
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
  queue.run(static_cast<int>(jobs.size()), [&](int part) {
    const auto j = static_cast<std::size_t>(part);
    const std::size_t first = jobs[j].first_sample;
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
    slots.emplace_back(tables.ferns, tables.pairs, tables.positives.host_update(first, entries),
                       tables.negatives.host_update(first, entries),
                       tables.posteriors.host_update(first, entries));
  }
  queue.run(static_cast<int>(jobs.size()), [&](int part) {
    const auto j = static_cast<std::size_t>(part);
    const LearnJob& job = jobs[j];
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
  const bool is_cpu = queue.device().is_cpu();
  const KernelName name = is_cpu ? KernelName{"fern_update_cpu", "sample_order"}
                                 : KernelName{"fern_update", "sample_order"};
  const std::size_t jobs = samples.jobs.size();
  launch(queue, name, is_cpu ? global(jobs) : global(kOrderItems * kOrderGroups, jobs),
         is_cpu ? local(1) : local(kOrderItems, 1), in(samples.jobs), in(samples.places),
         in(samples.sample_count), in(samples.place_count), blocks, out(order));
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
  const bool is_cpu = queue.device().is_cpu();
  const KernelName name = is_cpu ? KernelName{"fern_update_cpu", "update_ferns"}
                                 : KernelName{"fern_update", "update_ferns"};
  const std::uint64_t items = items_of_group(queue, name, kMaxFerns, CLTRACK_UPDATE_ITEMS);
  launch(queue, name, global(items * samples.jobs.size()), local(items), in(samples.jobs),
         in(samples.codes), in(order), in(samples.sample_count), tables.ferns, tables.pairs,
         negative_score, passes, inout(tables.positives), inout(tables.negatives),
         inout(tables.posteriors));
}

}  // namespace cltrack
