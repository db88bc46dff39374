// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/hog.h"

#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"

namespace cltrack {
namespace {

constexpr std::size_t kItems = 64;  // of a work-group

}  // namespace

void hog(Queue& queue, const Array<std::uint16_t>& samples, int cells, HogScratch& scratch,
         Array<float>& features) {
  const std::size_t all =
      cells < 1 ? 0 : static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells);
  const std::size_t each = all * kCellSide * kCellSide;
  if (all == 0 || samples.size() % each != 0) {
    throw Error(ErrorCode::invalid_argument,
                "hog: " + std::to_string(samples.size()) + " samples are no windows of " +
                    std::to_string(cells) + " x " + std::to_string(cells) + " cells, 4 x 4 each");
  }
  const std::size_t windows = samples.size() / each;
  features.resize(windows * all * kHogChannels);
  if (windows == 0) return;
  if (queue.is_host()) {
    const auto from = samples.host_read();
    const auto to = features.host_write();
    queue.run(static_cast<int>(windows), [&](int window) {
      const auto i = static_cast<std::size_t>(window);
      vector::hog(from.subspan(i * each, each), cells,
                  to.subspan(i * all * kHogChannels, all * kHogChannels));
    });
    return;
  }
  scratch.histograms.resize(windows * all * kHogDirections);
  scratch.greys.resize(windows * all);
  scratch.energies.resize(windows * all);
  const auto size = global(all, windows);
  launch(queue, {"hog", "hog_histograms"}, size, local(kItems, 1), in(samples), cells,
         out(scratch.histograms), out(scratch.greys), out(scratch.energies));
  launch(queue, {"hog", "hog_features"}, size, local(kItems, 1), in(scratch.histograms),
         in(scratch.greys), in(scratch.energies), cells, out(features));
}

}  // namespace cltrack
