// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/ferns/scan_windows.h"

namespace cltrack {
namespace {

// As kernels/ferns/fern_codes.cl reads them.
static_assert(sizeof(PixelPair) == 8);

void codes_on_host(Plane& image, ScanWindows& windows, Array<std::uint32_t>& list,
                   Array<FixedWarp>& warps, int ferns, std::uint16_t* codes) {
  const ImageView view = image.host_view();
  for (const FixedWarp& warp : warps.host_read()) {
    for (const std::uint32_t window : list.host_read()) {
      const ScanSize size = windows.size(windows.size_of(window));
      const std::size_t place = window - size.first;
      const int x = size.xs[place % size.xs.size()];
      const int y = size.ys[place / size.xs.size()];
      const std::span<const PixelPair> pairs = size.pairs;
      if (warp.plain) {
        fern_codes(view, x, y, pairs, ferns, codes);
      } else {
        fixed_warp_fern_codes(view, x, y, pairs, ferns, warp, codes);
      }
      codes += ferns;
    }
  }
}

}  // namespace

void fern_codes(Queue& queue, Plane& image, ScanWindows& windows, Array<std::uint32_t>& list,
                Array<FixedWarp>& warps, int ferns, std::size_t first,
                Array<std::uint16_t>& codes) {
  const std::size_t samples = list.size() * warps.size();
  if (codes.size() < (first + samples) * static_cast<std::size_t>(ferns)) {
    throw Error(ErrorCode::invalid_argument,
                "fern_codes: no room for " + std::to_string(first + samples) + " samples");
  }
  if (queue.is_host()) {
    codes_on_host(image, windows, list, warps, ferns,
                  codes.host_update().data() + first * static_cast<std::size_t>(ferns));
    return;
  }
  launch(queue, {"fern_codes", "fern_codes"}, global(ferns, samples),
         queue.device().is_cpu() ? local(ferns, 1) : local(16, 8), in(image.pixels), image.layout,
         in(list), static_cast<int>(list.size()), in(warps), static_cast<int>(warps.size()),
         in(windows.sizes), static_cast<int>(windows.sizes.size()), in(windows.edges),
         in(windows.all_pairs), ferns, windows.pairs / ferns, static_cast<int>(first),
         inout(codes));
}

}  // namespace cltrack
