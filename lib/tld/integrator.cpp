// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/integrator.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cltrack {
namespace {

// Gives each box the number of its cluster, counted from 0 in the order of first boxes; returns how
// many there are.
std::size_t label_clusters(std::span<const ScoredBox> boxes, float minimum_overlap,
                           std::vector<std::size_t>& labels) {
  constexpr auto none = static_cast<std::size_t>(-1);
  labels.assign(boxes.size(), none);
  std::size_t clusters = 0;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (labels[i] != none) continue;
    labels[i] = clusters;
    open.push_back(i);
    while (!open.empty()) {
      const std::size_t current = open.back();
      open.pop_back();
      for (std::size_t j = i + 1; j < boxes.size(); ++j) {
        if (labels[j] != none || overlap(boxes[current].box, boxes[j].box) < minimum_overlap)
          continue;
        labels[j] = clusters;
        open.push_back(j);
      }
    }
    ++clusters;
  }
  return clusters;
}

}  // namespace

std::vector<ScoredBox> cluster(std::span<const ScoredBox> boxes, float minimum_overlap) {
  std::vector<std::size_t> labels;
  std::vector<ScoredBox> result(label_clusters(boxes, minimum_overlap, labels));
  std::vector<float> members(result.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    ScoredBox& sum = result[labels[i]];
    sum.box.x += boxes[i].box.x;
    sum.box.y += boxes[i].box.y;
    sum.box.width += boxes[i].box.width;
    sum.box.height += boxes[i].box.height;
    sum.confidence += boxes[i].confidence;
    members[labels[i]] += 1;
  }
  for (std::size_t c = 0; c < result.size(); ++c) {
    const float count = members[c];
    const BoundingBox& b = result[c].box;
    result[c] = {{b.x / count, b.y / count, b.width / count, b.height / count},
                 result[c].confidence / count};
  }
  return result;
}

namespace {

// Mean of the tracked box, counted track_weight times, and of the windows that overlap it well.
// Those that pass the ferns lie on a grid, on every side of a target that may not have moved at
// all: it is moved only towards what is more like it.
BoundingBox refined(const Estimate& tracked, std::span<const ScoredBox> near,
                    const TldConfig& config) {
  const BoundingBox& box = tracked.box;
  const float weight = config.track_weight;
  BoundingBox sum{weight * box.x, weight * box.y, weight * box.width, weight * box.height};
  float count = weight;
  for (const auto& [other, confidence] : near) {
    if (overlap(box, other) <= config.near_overlap) continue;
    if (confidence <= tracked.confidence) continue;
    sum.x += other.x;
    sum.y += other.y;
    sum.width += other.width;
    sum.height += other.height;
    count += 1;
  }
  return {sum.x / count, sum.y / count, sum.width / count, sum.height / count};
}

// Whether enough windows passed the ferns around `box`.
bool supported(const BoundingBox& box, std::span<const ScoredBox> near, const TldConfig& config) {
  const auto support = std::count_if(near.begin(), near.end(), [&](const ScoredBox& other) {
    return overlap(box, other.box) > config.jump_overlap;
  });
  return support >= config.jump_support;
}

}  // namespace

std::optional<Estimate> integrate(const std::optional<Estimate>& tracked,
                                  std::span<const ScoredBox> near,
                                  std::span<const ScoredBox> accepted, const TldConfig& config) {
  const std::vector<ScoredBox> clusters = cluster(accepted, config.cluster_overlap);
  if (!tracked) {
    if (clusters.size() != 1) return std::nullopt;
    return Estimate{clusters[0].box, clusters[0].confidence, false};
  }
  const float enough = std::max(
      config.jump_confidence,
      tracked->confidence + (tracked->valid ? config.jump_margin_valid : config.jump_margin));
  const ScoredBox* other = nullptr;
  int more_confident = 0;
  for (const ScoredBox& c : clusters) {
    if (overlap(tracked->box, c.box) < config.jump_overlap && c.confidence > enough) {
      other = &c;
      ++more_confident;
    }
  }
  if (more_confident == 1 && supported(other->box, near, config)) {
    return Estimate{other->box, other->confidence, false};
  }
  return Estimate{refined(*tracked, near, config), tracked->confidence, tracked->valid};
}

}  // namespace cltrack
