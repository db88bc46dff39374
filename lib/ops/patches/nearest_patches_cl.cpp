// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cstdint>

#include "compute/launch.h"
#include "ops/patches/nearest_patches.h"

namespace cltrack {
namespace {

// As kernels/patches/nearest_patches.cl has it.
static_assert(sizeof(Patch) == 512 && sizeof(NearestPatches) == 20);
constexpr int kTile = 16;
constexpr int kGroup = 64;

constexpr int tiles_of(int patches) { return (patches + kTile - 1) / kTile; }

}  // namespace

void nearest_patches(Queue& queue, Array<Patch>& queries, Array<std::uint32_t>& count,
                     Array<Patch>& positives, std::size_t conservative, Array<Patch>& negatives,
                     Array<float>& similarities, Array<NearestPatches>& nearest) {
  nearest.resize(queries.size());
  if (queue.is_host()) {
    const auto used = queries.host_read().first(count.host_read()[0]);
    std::transform(used.begin(), used.end(), nearest.host_write().begin(), [&](const Patch& patch) {
      return nearest_patches(patch, positives.host_read(), conservative, negatives.host_read());
    });
    return;
  }
  const auto positive_count = static_cast<int>(positives.size());
  const auto negative_count = static_cast<int>(negatives.size());
  const std::size_t query_count = queries.size();
  similarities.resize(query_count * (positives.size() + negatives.size()));
  const bool vectors = queue.device().is_cpu();
  const char* const options = vectors ? "-DVECTORS=1" : "-DVECTORS=0";
  const int tiles = tiles_of(positive_count) + tiles_of(negative_count);
  launch(queue, {"nearest_patches", "patch_similarities", options},
         vectors ? global(tiles, query_count) : global(tiles * kTile, query_count),
         vectors ? local(1, 1) : local(kTile, kTile), in(queries), in(count), in(positives),
         positive_count, in(negatives), negative_count, out(similarities));
  const std::size_t items = vectors ? 1 : kGroup;
  launch(queue, {"nearest_patches", "nearest_of", options}, global(query_count * items),
         local(items), in(similarities), in(count), positive_count,
         static_cast<int>(std::min(conservative, positives.size())), negative_count, out(nearest));
}

}  // namespace cltrack
