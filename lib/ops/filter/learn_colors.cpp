// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/learn_colors.h"

#include <algorithm>
#include <string>

#include "compute/launch.h"
#include "ops/filter/window_jobs.h"

namespace cltrack {
namespace {

constexpr std::uint64_t kItems = 256;  // of a work-group, at most
// Bins of a work-group, which counts in local memory. Each group reads the whole window.
constexpr int kChunkOfGpu = 2048;
constexpr int kChunkOfCpu = 4096;

constexpr const char* kOp = "learn_colors";

[[noreturn]] void reject(const std::string& what) { reject_windows(kOp, what); }

void check(std::span<const ColorLearnJob> jobs, std::size_t windows, std::size_t slots) {
  for (const ColorLearnJob& job : jobs) {
    check_window_and_slot(kOp, job, windows, slots);
    if (!(job.rate >= 0 && job.rate <= 1)) {
      reject("a rate of " + std::to_string(job.rate) + "; allowed: 0 to 1");
    }
  }
}

}  // namespace

void learn_colors(Queue& queue, const Array<std::uint16_t>& bins, int side,
                  const Array<ColorLearnJob>& jobs, Array<float>& histograms,
                  Array<std::uint16_t>& likelihoods) {
  const std::size_t each = window_samples(kOp, side);
  constexpr std::size_t kShares = 2 * kColorBins;
  const std::span<const ColorLearnJob> all = jobs.host_read();
  check(all, bins.size() / each,
        std::min(histograms.size() / kShares, likelihoods.size() / kColorBins));
  if (all.empty()) return;
  if (queue.is_host()) {
    const auto from = bins.host_read();
    const auto shares = histograms.host_update();
    const auto to = likelihoods.host_update();
    queue.run(static_cast<int>(all.size()), [&](int i) {
      const ColorLearnJob& job = all[static_cast<std::size_t>(i)];
      const auto slot = static_cast<std::size_t>(job.slot);
      vector::learn_colors(from.subspan(static_cast<std::size_t>(job.window) * each, each), side,
                           job, shares.subspan(slot * kShares, kShares),
                           to.subspan(slot * kColorBins, kColorBins));
    });
    return;
  }
  const KernelName name = {"learn_colors", "learn_colors"};
  const std::uint64_t items = items_of_group(queue, name, 1, kItems);
  const int chunk = queue.device().is_cpu() ? kChunkOfCpu : kChunkOfGpu;
  launch(queue, name, global(kColorBins / chunk * items, all.size()), local(items, 1), in(bins),
         side, in(jobs), chunk, inout(histograms), inout(likelihoods),
         local_memory<cl_uint>(2 * static_cast<std::size_t>(chunk)));
}

}  // namespace cltrack
