// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/patches/nearest_patches.h"

#include <algorithm>
#include <cstdint>

#include "compute/launch.h"
#include "ops/job_parts.h"

namespace cltrack {

namespace {

struct Nearest {
  float similarity = -1;
  int index = -1;
};

Nearest nearest_of(const Patch& patch, std::span<const Patch> others) {
  Nearest nearest;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const float similarity = 0.5f * (reference::ncc(patch, others[i]) + 1);
    if (similarity > nearest.similarity) nearest = {similarity, static_cast<int>(i)};
  }
  return nearest;
}

}  // namespace

NearestPatches reference::nearest_patches(const Patch& patch, std::span<const Patch> positives,
                                          std::size_t conservative,
                                          std::span<const Patch> negatives) {
  const Nearest positive = nearest_of(patch, positives);
  const Nearest early =
      nearest_of(patch, positives.first(std::min(conservative, positives.size())));
  const Nearest negative = nearest_of(patch, negatives);
  return {positive.similarity, early.similarity, negative.similarity, positive.index,
          negative.index};
}

NearestPatches vector::nearest_patches(const Patch& patch, std::span<const Patch> positives,
                                       std::size_t conservative, std::span<const Patch> negatives) {
  NearestPatches nearest;
  for (std::size_t i = 0; i < positives.size(); ++i) {
    const float similarity = patch_similarity(patch, positives[i]);
    if (similarity > nearest.positive) {
      nearest.positive = similarity;
      nearest.positive_index = static_cast<int>(i);
    }
    if (i < conservative && similarity > nearest.conservative) nearest.conservative = similarity;
  }
  for (std::size_t i = 0; i < negatives.size(); ++i) {
    const float similarity = patch_similarity(patch, negatives[i]);
    if (similarity > nearest.negative) {
      nearest.negative = similarity;
      nearest.negative_index = static_cast<int>(i);
    }
  }
  return nearest;
}

namespace {

// As in kernels/parts/patch.cl and kernels/patches/nearest_patches.cl.
static_assert(sizeof(Patch) == 512 && sizeof(NearestPatches) == 20);
constexpr int kTile = CLTRACK_NEAREST_TILE;

constexpr int tiles_of(int patches) { return (patches + kTile - 1) / kTile; }

void compare_on_host(Queue& queue, const Array<Patch>& queries, const Array<std::uint32_t>& counts,
                     const Array<Patch>& patches, const Array<PatchJob>& jobs,
                     Array<NearestPatches>& nearest) {
  const std::size_t queries_of_job = queries.size() / jobs.size();
  const auto from = queries.host_read();
  const auto all = patches.host_read();
  const auto models = jobs.host_read();
  const auto to = nearest.host_write();
  const auto part_of = [&](int first, int count) {
    return all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  };
  run_job_parts(queue, counts.host_read(), kBoxesOfAPart,
                [&](std::size_t job, std::size_t first, std::size_t end) {
                  const PatchJob& model = models[job];
                  for (std::size_t i = first; i < end; ++i) {
                    const std::size_t query = job * queries_of_job + i;
                    to[query] = vector::nearest_patches(
                        from[query], part_of(model.first_positive, model.positives),
                        static_cast<std::size_t>(model.conservative),
                        part_of(model.first_negative, model.negatives));
                  }
                });
}

}  // namespace

void nearest_patches(Queue& queue, const Array<Patch>& queries, const Array<std::uint32_t>& counts,
                     const Array<Patch>& patches, const Array<PatchJob>& jobs,
                     Array<float>& similarities, Array<NearestPatches>& nearest) {
  nearest.resize(queries.size());
  if (queries.size() == 0) return;
  if (queue.is_host()) {
    compare_on_host(queue, queries, counts, patches, jobs, nearest);
    return;
  }
  int columns = 0;  // of the largest model
  int tiles = 0;
  for (const PatchJob& job : jobs.host_read()) {
    columns = std::max(columns, job.positives + job.negatives);
    tiles = std::max(tiles, tiles_of(job.positives) + tiles_of(job.negatives));
  }
  const std::size_t queries_of_job = queries.size() / jobs.size();
  const auto query_count = static_cast<cl_int>(queries_of_job);
  similarities.resize(queries.size() * static_cast<std::size_t>(columns));
  launch(queue, {"nearest_patches", "patch_similarities"},
         global(tiles * kTile, queries_of_job, jobs.size()), local(kTile, kTile, 1), in(queries),
         in(counts), query_count, in(patches), in(jobs), columns, out(similarities));
  constexpr std::size_t kItems = CLTRACK_NEAREST_ITEMS;
  launch(queue, {"nearest_patches", "nearest_of"}, global(queries_of_job * kItems, jobs.size()),
         local(kItems, 1), in(similarities), in(counts), in(jobs), columns, out(nearest));
}

}  // namespace cltrack
