// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/cluster.h"

#include <cstddef>

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

}  // namespace cltrack
