// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <numeric>

#include "ops/color/color_blobs.h"

namespace cltrack {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// Union-find: the root of a set is its first run.
std::uint32_t root_of(std::vector<std::uint32_t>& parents, std::uint32_t i) {
  while (parents[i] != i) {
    parents[i] = parents[parents[i]];
    i = parents[i];
  }
  return i;
}

void join(std::vector<std::uint32_t>& parents, std::uint32_t a, std::uint32_t b) {
  a = root_of(parents, a);
  b = root_of(parents, b);
  parents[std::max(a, b)] = std::min(a, b);
}

}  // namespace

void find_blobs(std::span<const ColorRun> runs, std::uint64_t minimum_area, BlobScratch& scratch,
                std::vector<ColorBlob>& blobs) {
  blobs.clear();
  auto& parents = scratch.parents;
  parents.resize(runs.size());
  std::iota(parents.begin(), parents.end(), 0u);
  std::size_t above = 0;  // first run of the row above that may reach the current one
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ColorRun& run = runs[i];
    while (above < i && (runs[above].y < run.y - 1 ||
                         (runs[above].y == run.y - 1 && runs[above].right < run.left))) {
      ++above;
    }
    for (std::size_t j = above; j < i && runs[j].y == run.y - 1 && runs[j].left <= run.right; ++j) {
      if (runs[j].label == run.label) {
        join(parents, static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i));
      }
    }
  }
  auto& places = scratch.places;
  places.assign(runs.size(), kNone);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::uint32_t root = root_of(parents, static_cast<std::uint32_t>(i));
    if (places[root] == kNone) {
      places[root] = static_cast<std::uint32_t>(blobs.size());
      blobs.push_back({runs[i].label, kNoColorSum});
    }
    add_run(blobs[places[root]].sum, runs[i]);
  }
  std::erase_if(blobs, [=](const ColorBlob& blob) { return blob.sum.count < minimum_area; });
}

}  // namespace cltrack
