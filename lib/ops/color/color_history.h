// SPDX-License-Identifier: LGPL-2.1-or-later
// Where objects were on the latest frames: the trajectory history of the paper (section 3.5), which
// stays on the device until somebody asks for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/track.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// A ring of `length` frames for each object; frame f is slot f % length of each.
struct ColorHistory {
  int objects = 0;
  int length = 0;
  std::uint64_t frames = 0;  // so far
  Array<ColorSum> ring;      // objects x length; where `count` is 0, nothing was seen

  // Forgets all. `length` is at least 1.
  void reset(int objects, int length);
};

// The body of the host: `sums` and `ring` as in ColorHistory.
void color_history_host(std::span<const ColorSum> sums, int slot, int length,
                        std::span<ColorSum> ring);

// Adds a frame wherever the queue works. Does not wait. Throws Error; invalid_argument if there is
// not one sum for each object.
void color_history(Queue& queue, Array<ColorSum>& sums, ColorHistory& history);

// Appends to `points` where the object was on the latest frames on each of which it had at least
// `minimum_area` pixels, the latest frame last. `ring` is the one of `history`, on the host.
void append_trail(const ColorHistory& history, std::span<const ColorSum> ring, int object,
                  std::uint64_t minimum_area, std::vector<TrackPoint>& points);

}  // namespace cltrack
