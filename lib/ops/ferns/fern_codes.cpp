// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/ferns/fern_codes.h"
#include "ops/ferns/scan_windows.h"

namespace cltrack {
namespace {

// As kernels/ferns/fern_codes.cl reads them.
static_assert(sizeof(PixelPair) == 8);

void codes_on_host(Queue& queue, const Plane& image, const ScanWindows& windows,
                   std::span<const std::uint32_t> list, std::span<const FixedWarp> warps,
                   std::span<const CodeJob> jobs, int ferns, std::span<std::uint16_t> codes) {
  struct Part {
    const CodeJob* job;
    std::uint32_t warp;
  };
  std::vector<Part> parts;
  for (const CodeJob& job : jobs) {
    for (std::uint32_t warp = 0; warp < job.warps; ++warp) parts.push_back({&job, warp});
  }
  const ImageView picture = image.host_view();
  const ScanWindowsView view = windows.host_view();
  queue.run(static_cast<int>(parts.size()), [&](int part) {
    const auto& [job, warp_index] = parts[static_cast<std::size_t>(part)];
    const FixedWarp& warp = warps[job->first_warp + warp_index];
    const std::size_t first = job->first_sample + std::size_t{warp_index} * job->listed;
    std::uint16_t* own = codes.data() + first * static_cast<std::size_t>(ferns);
    for (const std::uint32_t window : list.subspan(job->first_listed, job->listed)) {
      const ScanSize size = view.size(view.size_of(window));
      const std::size_t place = window - size.first;
      const int x = size.xs[place % size.xs.size()];
      const int y = size.ys[place / size.xs.size()];
      if (warp.plain) {
        reference::fern_codes(picture, x, y, size.pairs, ferns, own);
      } else {
        reference::warped_fern_codes(picture, x, y, size.pairs, ferns, warp, own);
      }
      own += ferns;
    }
  });
}

}  // namespace

void fern_codes(Queue& queue, const Plane& image, const ScanWindows& windows,
                const Array<std::uint32_t>& list, const Array<FixedWarp>& warps,
                const Array<CodeJob>& jobs, int ferns, Array<std::uint16_t>& codes) {
  const std::span<const CodeJob> all = jobs.host_read();
  std::size_t most = 0;  // samples of a job
  for (const CodeJob& job : all) {
    const std::size_t samples = std::size_t{job.listed} * job.warps;
    if (codes.size() < (job.first_sample + samples) * static_cast<std::size_t>(ferns)) {
      throw Error(
          ErrorCode::invalid_argument,
          "fern_codes: no room for " + std::to_string(job.first_sample + samples) + " samples");
    }
    most = std::max(most, samples);
  }
  if (queue.is_host()) {
    codes_on_host(queue, image, windows, list.host_read(), warps.host_read(), all, ferns,
                  codes.host_update());
    return;
  }
  launch(queue, {"fern_codes", "fern_codes"}, global(ferns, most, all.size()),
         queue.device().is_cpu() ? local(ferns, 1, 1) : local(16, 8, 1), in(image.pixels),
         image.layout, in(list), in(warps), in(jobs), in(windows.sizes), in(windows.edges),
         in(windows.all_pairs), ferns, windows.pairs / ferns, inout(codes));
}

}  // namespace cltrack
