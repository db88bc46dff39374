// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/ferns/fern_update.h"

namespace cltrack {
namespace {

constexpr std::uint64_t kUpdateItems = 512;  // at most, as kernels/ferns/fern_update.cl has it
constexpr int kOrderItems = 64;
constexpr int kOrderGroups = 64;

void update_on_host(FernTableArrays& tables, FernSampleArrays& samples, Array<std::uint32_t>& order,
                    std::uint32_t positive_score, std::uint32_t negative_score, int passes) {
  const std::span<const std::uint16_t> codes = samples.codes.host_read();
  std::vector<std::uint8_t> positive(samples.sample_count.host_read()[0]);
  std::fill_n(positive.begin(), samples.positives, std::uint8_t{1});
  const FernTableSpans spans = {tables.ferns, tables.pairs, tables.positives.host_update(),
                                tables.negatives.host_update(), tables.posteriors.host_update()};
  const auto visited = order.host_read().first(positive.size());
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

void FernSampleArrays::set_places(std::span<const std::uint32_t> rising, std::uint32_t count) {
  places.assign(rising);
  sample_count.host_write()[0] = static_cast<std::uint32_t>(rising.size());
  place_count.host_write()[0] = count;
}

void order_samples(Queue& queue, FernSampleArrays& samples, int blocks,
                   Array<std::uint32_t>& order) {
  if (blocks < 1 || blocks > kMaxBlocks) {
    throw Error(ErrorCode::invalid_argument, "order_samples: " + std::to_string(blocks) +
                                                 " blocks, 1 to " + std::to_string(kMaxBlocks) +
                                                 " are allowed");
  }
  order.resize(samples.places.size());
  if (queue.is_host()) {
    const std::size_t count = samples.sample_count.host_read()[0];
    order_samples_host(samples.places.host_read().first(count), samples.place_count.host_read()[0],
                       blocks, order.host_write().first(count));
    return;
  }
  const bool serial = queue.device().is_cpu();
  const KernelName name = serial ? KernelName{"fern_update_serial", "sample_order_serially"}
                                 : KernelName{"fern_update", "sample_order"};
  launch(queue, name, global(serial ? 1 : kOrderItems * kOrderGroups),
         local(serial ? 1 : kOrderItems), in(samples.places), in(samples.sample_count),
         in(samples.place_count), blocks, out(order));
}

void update_ferns(Queue& queue, FernTableArrays& tables, FernSampleArrays& samples,
                  Array<std::uint32_t>& order, std::uint32_t positive_score,
                  std::uint32_t negative_score, int passes) {
  if (queue.is_host()) {
    update_on_host(tables, samples, order, positive_score, negative_score, passes);
    return;
  }
  const bool serial = queue.device().is_cpu();
  const KernelName name = serial ? KernelName{"fern_update_serial", "update_ferns_serially"}
                                 : KernelName{"fern_update", "update_ferns"};
  const std::uint64_t items = items_of_group(queue, name, kMaxFerns, kUpdateItems);
  launch(queue, name, global(items), local(items), in(samples.codes),
         static_cast<int>(samples.positives), in(order), in(samples.sample_count), tables.ferns,
         tables.pairs, positive_score, negative_score, passes, inout(tables.positives),
         inout(tables.negatives), inout(tables.posteriors));
}

}  // namespace cltrack
