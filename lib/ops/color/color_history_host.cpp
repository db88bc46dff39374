// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>

#include "ops/color/color_history.h"
#include "ops/color/color_sums.h"

namespace cltrack {

void ColorHistory::reset(int new_objects, int new_length) {
  objects = new_objects;
  length = new_length;
  frames = 0;
  ring.resize(static_cast<std::size_t>(objects) * static_cast<std::size_t>(length));
  std::ranges::fill(ring.host_write(), kNoColorSum);
}

void color_history_host(std::span<const ColorSum> sums, int slot, int length,
                        std::span<ColorSum> ring) {
  for (std::size_t object = 0; object < sums.size(); ++object) {
    ring[object * static_cast<std::size_t>(length) + static_cast<std::size_t>(slot)] = sums[object];
  }
}

void append_trail(const ColorHistory& history, std::span<const ColorSum> ring, int object,
                  std::uint64_t minimum_area, std::vector<TrackPoint>& points) {
  const auto length = static_cast<std::uint64_t>(history.length);
  const auto row = ring.subspan(static_cast<std::size_t>(object) * length, length);
  const std::uint64_t known = std::min(history.frames, length);
  const auto begin = static_cast<std::ptrdiff_t>(points.size());
  for (std::uint64_t back = 1; back <= known; ++back) {
    const ColorSum& sum = row[(history.frames - back) % length];
    if (sum.count == 0 || sum.count < minimum_area) break;
    points.push_back(centroid_of(sum));
  }
  std::reverse(points.begin() + begin, points.end());
}

}  // namespace cltrack
