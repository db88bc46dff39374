// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_history.h"

#include <algorithm>
#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/color/color_sums.h"

namespace cltrack {

void reference::color_history(std::span<const ColorSum> sums, int slot, int length,
                              std::span<ColorSum> ring) {
  for (std::size_t object = 0; object < sums.size(); ++object) {
    ring[object * static_cast<std::size_t>(length) + static_cast<std::size_t>(slot)] = sums[object];
  }
}

namespace {

constexpr int kItems = 32;  // of a work-group

}  // namespace

void ColorHistory::reset(int new_objects, int new_length) {
  objects = new_objects;
  length = new_length;
  frames = 0;
  ring.resize(static_cast<std::size_t>(objects) * static_cast<std::size_t>(length));
  std::ranges::fill(ring.host_write(), kNoColorSum);
}

void color_history(Queue& queue, const Array<ColorSum>& sums, ColorHistory& history) {
  if (sums.size() != static_cast<std::size_t>(history.objects) || history.length < 1) {
    throw Error(ErrorCode::invalid_argument, "color_history: " + std::to_string(sums.size()) +
                                                 " sums for a history of " +
                                                 std::to_string(history.objects) + " objects and " +
                                                 std::to_string(history.length) + " frames");
  }
  const int slot = static_cast<int>(history.frames % static_cast<std::uint64_t>(history.length));
  if (queue.is_host()) {
    reference::color_history(sums.host_read(), slot, history.length, history.ring.host_update());
  } else {
    const int groups = (history.objects + kItems - 1) / kItems;
    launch(queue, {"color_history", "color_history"}, global(groups * kItems), local(kItems),
           in(sums), history.objects, slot, history.length, inout(history.ring));
  }
  ++history.frames;
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
