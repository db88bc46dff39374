// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/blob_matcher.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cltrack {
namespace {

struct Pair {
  float distance;
  int object;
  int blob;
};

float distance_between(const TrackPoint& a, const TrackPoint& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

}  // namespace

std::vector<int> match_blobs(std::span<const ExpectedBlob> expected,
                             std::span<const ColorBlob> blobs) {
  std::vector<int> result(expected.size(), kNoBlob);
  std::vector<bool> taken(blobs.size());
  for (std::size_t o = 0; o < expected.size(); ++o) {
    if (!expected[o].chosen) continue;
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t b = 0; b < blobs.size(); ++b) {
      const float distance = distance_between(expected[o].place, centroid_of(blobs[b].sum));
      if (taken[b] || distance >= least) continue;
      least = distance;
      result[o] = static_cast<int>(b);
    }
    if (result[o] != kNoBlob) taken[static_cast<std::size_t>(result[o])] = true;
  }
  std::vector<Pair> pairs;
  for (std::size_t o = 0; o < expected.size(); ++o) {
    for (std::size_t b = 0; b < blobs.size(); ++b) {
      const float distance = distance_between(expected[o].place, centroid_of(blobs[b].sum));
      if (distance <= expected[o].reach) {
        pairs.push_back({distance, static_cast<int>(o), static_cast<int>(b)});
      }
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  for (const auto& [distance, object, blob] : pairs) {
    if (result[static_cast<std::size_t>(object)] != kNoBlob ||
        taken[static_cast<std::size_t>(blob)]) {
      continue;
    }
    result[static_cast<std::size_t>(object)] = blob;
    taken[static_cast<std::size_t>(blob)] = true;
  }

  std::vector<std::size_t> by_area(blobs.size());
  std::iota(by_area.begin(), by_area.end(), std::size_t{0});
  std::stable_sort(by_area.begin(), by_area.end(), [&](std::size_t a, std::size_t b) {
    return blobs[a].sum.count > blobs[b].sum.count;
  });
  for (const std::size_t b : by_area) {
    if (taken[b]) continue;
    int nearest = kNoBlob;
    float least = 0;
    for (std::size_t o = 0; o < expected.size(); ++o) {
      if (!expected[o].lost || result[o] != kNoBlob) continue;
      const float distance = distance_between(expected[o].place, centroid_of(blobs[b].sum));
      if (nearest == kNoBlob || distance < least) {
        nearest = static_cast<int>(o);
        least = distance;
      }
    }
    if (nearest == kNoBlob) break;
    result[static_cast<std::size_t>(nearest)] = static_cast<int>(b);
  }
  return result;
}

}  // namespace cltrack
