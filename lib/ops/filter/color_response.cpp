// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/color_response.h"

#include <string>

#include "compute/launch.h"
#include "ops/filter/window_jobs.h"

namespace cltrack {
namespace {

constexpr std::uint64_t kItems = 128;  // of a work-group, at most
// Vertical displacements of a work-group: each saves a part of the sums of the next.
constexpr int kPlacesOfGpu = 4;
constexpr int kPlacesOfCpu = 16;

constexpr const char* kOp = "color_response";

[[noreturn]] void reject(const std::string& what) { reject_windows(kOp, what); }

void check(std::span<const ColorResponseJob> jobs, std::size_t windows, std::size_t slots) {
  for (const ColorResponseJob& job : jobs) {
    check_window_and_slot(kOp, job, windows, slots);
  }
}

}  // namespace

ColorResponseJob color_response_job(int window, int slot, int width, int height, int side) {
  if (width < 1 || width > side || height < 1 || height > side) {
    reject("a box of " + std::to_string(width) + " x " + std::to_string(height) +
           " samples; allowed: 1 to " + std::to_string(side));
  }
  return {.window = window,
          .slot = slot,
          .width = width,
          .height = height,
          .scale = 1 / (65535 * static_cast<float>(width * height))};
}

void color_response(Queue& queue, const Array<std::uint16_t>& bins, int side,
                    const Array<ColorResponseJob>& jobs, const Array<std::uint16_t>& likelihoods,
                    Array<float>& responses) {
  if (side < 1 || side > kMostSampleSide || side % kColorPlaces != 0) {
    reject("windows of " + std::to_string(side) +
           " samples a side; allowed: multiples of 32 up to " + std::to_string(kMostSampleSide));
  }
  const auto each = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  const std::span<const ColorResponseJob> all = jobs.host_read();
  check(all, bins.size() / each, likelihoods.size() / kColorBins);
  responses.resize(all.size() * kColorResponses);
  if (all.empty()) return;
  if (queue.is_host()) {
    const auto from = bins.host_read();
    const auto tables = likelihoods.host_read();
    const auto to = responses.host_write();
    queue.run(static_cast<int>(all.size()), [&](int job) {
      const auto i = static_cast<std::size_t>(job);
      vector::color_response(
          from.subspan(static_cast<std::size_t>(all[i].window) * each, each), side, all[i],
          tables.subspan(static_cast<std::size_t>(all[i].slot) * kColorBins, kColorBins),
          to.subspan(i * kColorResponses, kColorResponses));
    });
    return;
  }
  const KernelName name = {"color_response", "color_response"};
  const std::uint64_t items = items_of_group(queue, name, 1, kItems);
  const int places = queue.device().is_cpu() ? kPlacesOfCpu : kPlacesOfGpu;
  const auto columns = static_cast<std::size_t>(places) * static_cast<std::size_t>(side + 1);
  launch(queue, name, global(kColorPlaces / places * items, all.size()), local(items, 1), in(bins),
         side, in(jobs), places, in(likelihoods), out(responses), local_memory<cl_uint>(columns));
}

}  // namespace cltrack
