// SPDX-License-Identifier: LGPL-2.1-or-later
// The places of objects on the latest frames: the trajectory history of the paper (section 3.5),
// kept where the queue works.
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

// Adds a frame. Does not wait. Throws Error; invalid_argument if there is not one sum for each
// object.
void color_history(Queue& queue, const Array<ColorSum>& sums, ColorHistory& history);

namespace reference {
// `sums` and `ring` as in ColorHistory.
void color_history(std::span<const ColorSum> sums, int slot, int length, std::span<ColorSum> ring);
}  // namespace reference

// Appends to `points` the places of the object on the latest frames on each of which it had at
// least `minimum_area` pixels, the latest frame last. `ring` is that of `history`, on the host.
void append_trail(const ColorHistory& history, std::span<const ColorSum> ring, int object,
                  std::uint64_t minimum_area, std::vector<TrackPoint>& points);

}  // namespace cltrack
