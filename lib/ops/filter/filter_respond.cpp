// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/filter_respond.h"

#include "compute/launch.h"
#include "core/processor.h"
#include "ops/filter/filter_jobs.h"
#include "ops/filter/filter_plane.h"

namespace cltrack {
namespace {

constexpr int kItems = 256;  // of a work-group
constexpr auto kBins = static_cast<int>(kFilterBins);

[[gnu::always_inline]] inline void respond(const FftPlan& plan, const float* spectrum,
                                           const float* filter, float* response) {
  float sums[2 * kBins] = {}, none[2 * kBins] = {};
  for (int channel = 0; channel < kFilterChannels; ++channel) {
    const float* x = spectrum + channel * 2 * kBins;
    const float* f = filter + channel * 2 * kBins;
    for (int i = 0; i < kBins; ++i) {
      sums[i] += f[i] * x[i] + f[kBins + i] * x[kBins + i];
      sums[kBins + i] += f[i] * x[kBins + i] - f[kBins + i] * x[i];
    }
  }
  filter_plane::Plane plane;
  filter_plane::backward(plan, sums, none, plane);
  for (int x = 0; x < kFilterCells; ++x) {
    for (int block = 0; block < filter_plane::kBlocks; ++block) {
      filter_plane::store(response + x * kFilterCells + 8 * block,
                          plane.rows[x][block].re * (1.0f / kFilterPlane));
    }
  }
}

}  // namespace

namespace vector {

void filter_respond(const FilterTables& tables, std::span<const float> spectrum,
                    std::span<const float> filter, std::span<float> response) {
  kFastest<respond>(tables.plan, spectrum.data(), filter.data(), response.data());
}

}  // namespace vector

void filter_respond(Queue& queue, const FilterTables& tables, const Array<float>& spectra,
                    const Array<FilterJob>& jobs, const Array<float>& filters,
                    Array<float>& responses) {
  responses.resize(jobs.size() * kFilterPlane);
  if (jobs.size() == 0) return;
  check_jobs("filter_respond", jobs.host_read(), spectra.size(), filters.size());
  if (queue.is_host()) {
    const auto all = jobs.host_read();
    const auto from = spectra.host_read(), taught = filters.host_read();
    const auto to = responses.host_write();
    queue.run(static_cast<int>(all.size()), [&](int job) {
      const auto i = static_cast<std::size_t>(job);
      vector::filter_respond(tables, spectrum_at(from, all[i].window),
                             spectrum_at(taught, all[i].slot),
                             to.subspan(i * kFilterPlane, kFilterPlane));
    });
    return;
  }
  const KernelName name = {"filter_respond", "filter_respond"};
  const auto items = items_of_group(queue, name, 1, kItems);
  launch(queue, name, global(jobs.size() * items), local(items), in(spectra), in(jobs), in(filters),
         tables.stages, in(tables.twiddles), out(responses), local_memory<float>(4 * kFilterPlane));
}

}  // namespace cltrack
