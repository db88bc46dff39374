// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/integrator.h"

#include <algorithm>
#include <vector>

namespace cltrack {
namespace {

// Mean of the tracked box, counted track_weight times, and of the windows that overlap it well.
BoundingBox refined(const BoundingBox& box, std::span<const BoundingBox> near,
                    const TldConfig& config) {
  const float weight = config.track_weight;
  BoundingBox sum{weight * box.x, weight * box.y, weight * box.width, weight * box.height};
  float count = weight;
  for (const BoundingBox& other : near) {
    if (overlap(box, other) <= config.near_overlap) continue;
    sum.x += other.x;
    sum.y += other.y;
    sum.width += other.width;
    sum.height += other.height;
    count += 1;
  }
  return {sum.x / count, sum.y / count, sum.width / count, sum.height / count};
}

// Whether enough windows passed the ferns around `box`.
bool supported(const BoundingBox& box, std::span<const BoundingBox> near, const TldConfig& config) {
  const auto support = std::count_if(near.begin(), near.end(), [&](const BoundingBox& other) {
    return overlap(box, other) > config.jump_overlap;
  });
  return support >= config.jump_support;
}

}  // namespace

std::optional<Estimate> integrate(const std::optional<Estimate>& tracked,
                                  std::span<const BoundingBox> near,
                                  std::span<const ScoredBox> accepted, const TldConfig& config) {
  const std::vector<ScoredBox> clusters = cluster(accepted, config.cluster_overlap);
  if (!tracked) {
    if (clusters.size() != 1) return std::nullopt;
    return Estimate{clusters[0].box, clusters[0].confidence, false};
  }
  const float enough = std::max(
      config.jump_confidence,
      tracked->confidence + (tracked->valid ? config.jump_margin_valid : config.jump_margin));
  const ScoredBox* elsewhere = nullptr;
  int more_confident = 0;
  for (const ScoredBox& c : clusters) {
    if (overlap(tracked->box, c.box) < config.jump_overlap && c.confidence > enough) {
      elsewhere = &c;
      ++more_confident;
    }
  }
  if (more_confident == 1 && supported(elsewhere->box, near, config)) {
    return Estimate{elsewhere->box, elsewhere->confidence, false};
  }
  return Estimate{refined(tracked->box, near, config), tracked->confidence, tracked->valid};
}

}  // namespace cltrack
