// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <vector>

#include "compute/launch.h"
#include "ops/fern_update.h"

namespace cltrack {
namespace {

constexpr int kSamples = 16;  // as kernels/fern_update.cl has it

void order_on_host(FernSampleArrays& samples, std::size_t blocks, SampleOrder& order) {
  const auto places = samples.places.host_read().first(samples.place_count.host_read()[0]);
  const auto result = order.samples.host_write();
  const std::size_t block = (places.size() + blocks - 1) / blocks;
  std::uint32_t count = 0;
  for (std::size_t start = 0; start < block; ++start) {
    for (std::size_t i = start; i < places.size(); i += block) {
      if (places[i] != kNoSample) result[count++] = places[i];
    }
  }
  order.count.host_write()[0] = count;
}

void update_on_host(FernTableArrays& tables, FernSampleArrays& samples, SampleOrder& order,
                    std::uint32_t positive_score, std::uint32_t negative_score, int passes) {
  const std::span<const std::uint16_t> codes = samples.codes.host_read();
  std::vector<std::uint8_t> positive(samples.sample_count.host_read()[0]);
  std::fill_n(positive.begin(), samples.positives, std::uint8_t{1});
  const FernTableSpans spans = {tables.ferns, tables.pairs, tables.positives.host_update(),
                                tables.negatives.host_update(), tables.posteriors.host_update()};
  const auto visited = order.samples.host_read().first(order.count.host_read()[0]);
  for (int pass = 0; pass < passes; ++pass) {
    update_ferns_host(spans, {codes, positive}, visited, positive_score, negative_score);
  }
}

}  // namespace

void FernSampleArrays::resize(int fern_count, std::size_t positive_count,
                              std::size_t most_negatives) {
  ferns = fern_count;
  positives = static_cast<std::uint32_t>(positive_count);
  codes.resize((positive_count + most_negatives) * static_cast<std::size_t>(ferns));
  places.resize(positive_count + most_negatives);
  sample_count.resize(1);
  place_count.resize(1);
}

void FernSampleArrays::set_places(std::span<const std::uint32_t> order) {
  places.assign(order);
  place_count.host_write()[0] = static_cast<std::uint32_t>(order.size());
  sample_count.host_write()[0] =
      static_cast<std::uint32_t>(order.size() - std::ranges::count(order, kNoSample));
}

void order_samples(Queue& queue, FernSampleArrays& samples, int blocks, SampleOrder& order) {
  order.samples.resize(samples.places.size());
  order.count.resize(1);
  if (queue.is_host()) {
    order_on_host(samples, static_cast<std::size_t>(blocks), order);
    return;
  }
  const Device& device = queue.device();
  const std::uint64_t items = one_group(device);
  const KernelName name = device.is_cpu()
                              ? KernelName{"fern_update_serial", "sample_order_serially"}
                              : KernelName{"fern_update", "sample_order"};
  launch(queue, name, global(items), local(items), in(samples.places), in(samples.place_count),
         blocks, out(order.samples), out(order.count));
}

void update_ferns(Queue& queue, FernTableArrays& tables, FernSampleArrays& samples,
                  SampleOrder& order, std::uint32_t positive_score, std::uint32_t negative_score,
                  int passes) {
  if (queue.is_host()) {
    update_on_host(tables, samples, order, positive_score, negative_score, passes);
    return;
  }
  const bool serial = queue.device().is_cpu();
  const WorkSize group = serial ? local(1, 1) : local(kMaxFerns, kSamples);
  const KernelName name = serial ? KernelName{"fern_update_serial", "update_ferns_serially"}
                                 : KernelName{"fern_update", "update_ferns"};
  launch(queue, name, group, group, in(samples.codes), static_cast<int>(samples.positives),
         in(order.samples), in(order.count), tables.ferns, tables.pairs, positive_score,
         negative_score, passes, inout(tables.positives), inout(tables.negatives),
         inout(tables.posteriors));
}

}  // namespace cltrack
