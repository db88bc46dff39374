// SPDX-License-Identifier: LGPL-2.1-or-later
// The planes of one frame, which all targets share, wherever they are needed.
#pragma once

#include "cltrack/bounding_box.h"
#include "cltrack/color_picture.h"
#include "cltrack/image_view.h"
#include "compute/array.h"
#include "compute/lent_picture.h"
#include "ops/planes/integral.h"

namespace cltrack {

struct FramePlanes {
  Plane luma;            // the frame's own memory, borrowed
  ColorPicture picture;  // the same in colour, or luma alone
  Plane blurred;         // what the ferns compare pixels of
  Plane blurred_before;  // of the frame before: another device may still learn from it
  // The variance filter needs these: the host has them for the frame, a device makes them for each
  // scan.
  IntegralArrays integrals{kScratch};
  // For targets that start on this frame, if one has and a device has `blurred`: the same, and what
  // the host looks at of `blurred`. Both go with the frame.
  Integrals starting;
  Plane starting_blurred;

  // Have it on the host, where a target starts.
  IntegralView integrals_to_start() const {
    return starting.sums.empty() ? integrals.host_view() : starting;
  }
  const Plane& blurred_to_start() const {
    return starting_blurred.pixels.size() > 0 ? starting_blurred : blurred;
  }

  // `picture`, of which the host needs what a box shows.
  const ColorPicture& picture_of(const BoundingBox& box) const {
    load_around(luma.pixels.memory().lent().get(), picture, box);
    return picture;
  }

  // Frees it all. Memory that is destroyed waits for devices that still read what the host has, and
  // swallows what a broken one says.
  void clear() noexcept { *this = {}; }
};

}  // namespace cltrack
