// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "compute/launch.h"
#include "ops/job_parts.h"
#include "ops/patches/extract_patches.h"

namespace cltrack {
namespace {

// As in kernels/parts/patch.cl.
static_assert(sizeof(Patch) == 512 && offsetof(Patch, norm) == 2 * kPatchStride);
static_assert(sizeof(BoundingBox) == 16);

constexpr std::uint64_t kItems = 512;                            // of a group, at most,
constexpr std::uint64_t kItemsOfAnOutput = CLTRACK_PATCH_LANES;  // and a multiple of these

}  // namespace

void extract_patches(Queue& queue, const Plane& image, const Array<BoundingBox>& boxes,
                     const Array<std::uint32_t>& counts, float longest_side, PatchScratch& scratch,
                     Array<Patch>& patches) {
  patches.resize(boxes.size());
  if (boxes.size() == 0) return;
  const std::size_t boxes_of_job = boxes.size() / counts.size();
  if (queue.is_host()) {
    const ImageView view = image.host_view();
    const auto from = boxes.host_read();
    const auto to = patches.host_write();
    run_job_parts(queue, counts.host_read(), kBoxesOfAPart,
                  [&](std::size_t job, std::size_t first, std::size_t end) {
                    for (std::size_t i = first; i < end; ++i) {
                      const std::size_t box = job * boxes_of_job + i;
                      to[box] = vector::extract_patch(view, from[box]);
                    }
                  });
    return;
  }
  const bool vectors = queue.device().is_cpu();
  // Two more than a box of that size has: its last side may be rounded up. Vectors read further.
  const int max_taps = static_cast<int>(std::ceil(4 * std::max(1.0f, longest_side / kPatchSide))) +
                       3 + (vectors ? CLTRACK_PATCH_LANES : 0);
  const std::size_t outputs = boxes.size() * 2 * kPatchSide;
  const std::size_t taps = outputs * static_cast<std::size_t>(max_taps);
  if (vectors) {
    scratch.spans.resize(2 * outputs);
    scratch.weights.resize(taps);
    launch(queue, {"extract_patches_cpu", "extract_patches"}, global(boxes_of_job, counts.size()),
           local(1, 1), in(image.pixels), image.layout, in(boxes), in(counts), max_taps,
           out(scratch.spans), out(scratch.weights), out(patches));
    return;
  }
  scratch.taps.resize(taps);
  const KernelName name = {"extract_patches", "extract_patches"};
  const std::uint64_t allowed = items_of_group(queue, name, 2 * kItemsOfAnOutput, kItems);
  const std::uint64_t items = allowed / kItemsOfAnOutput * kItemsOfAnOutput;
  launch(queue, name, global(boxes_of_job * items, counts.size()), local(items, 1),
         in(image.pixels), image.layout, in(boxes), in(counts), max_taps, out(scratch.taps),
         out(patches));
}

}  // namespace cltrack
