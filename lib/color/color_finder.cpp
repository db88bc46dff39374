// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "compute/array.h"

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

void ColorFinder::place(std::shared_ptr<Queue> queue) {
  queue_ = std::move(queue);
  planes_ = {};
  scratch_ = {};
  sums_ = {};
  Array<std::uint8_t> table;
  table.assign(table_.host_read());
  table_ = std::move(table);
}

void ColorFinder::set_table(const ColorTable& table, int objects) {
  table_.assign(table);
  objects_ = objects;
}

void ColorFinder::find_objects(const TrackedFrame& frame, std::uint64_t minimum_area,
                               std::vector<ColorBlob>& objects) {
  const ScopedBorrow borrowed(planes_, frame.color, frame.lent);
  color_sums(*queue_, planes_, table_, objects_, scratch_, sums_);
  sums_.fetch();
  if (history_.length > 0 && !history_on_host_) {
    color_history(*queue_, sums_, history_);
    history_.ring.fetch();
  }
  queue_->finish();
  // Only now: if the device fails, the frame begins again elsewhere.
  if (history_.length > 0 && history_on_host_) color_history(*host_, sums_, history_);
  objects.clear();
  int label = 0;
  for (const ColorSum& sum : sums_.host_read()) {
    ++label;
    if (sum.count > 0 && sum.count >= minimum_area) objects.push_back({label, sum});
  }
}

void ColorFinder::find_blobs(const TrackedFrame& frame, std::uint64_t minimum_area,
                             std::vector<ColorBlob>& blobs) {
  const ScopedBorrow borrowed(planes_, frame.color, frame.lent);
  color_runs(*queue_, *host_, planes_, table_, scratch_, runs_);
  cltrack::find_blobs(runs_, minimum_area, blob_scratch_, blobs);
}

void ColorFinder::keep_history(int objects, int length, bool on_host) {
  history_on_host_ = on_host;
  if (length > 0) {
    history_.reset(objects, length);
  } else {
    history_ = {};
  }
}

void ColorFinder::add_to_history(std::span<const ColorSum> sums) {
  history_sums_.assign(sums);
  color_history(*host_, history_sums_, history_);
}

void ColorFinder::append_trail(int object, std::uint64_t minimum_area,
                               std::vector<TrackPoint>& points) {
  cltrack::append_trail(history_, history_.ring.host_read(), object, minimum_area, points);
}

}  // namespace cltrack
