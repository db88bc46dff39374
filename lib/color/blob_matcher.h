// SPDX-License-Identifier: LGPL-2.1-or-later
// Which of the blobs of a colour is which object, from frame to frame.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cltrack/track.h"
#include "ops/color/color_blobs.h"

namespace cltrack {

// An object that may be among the blobs.
struct ExpectedBlob {
  TrackPoint place;     // where it should be by now
  float reach = 0;      // how far from there it may be, pixels
  bool lost = true;     // it may have come back anywhere
  bool chosen = false;  // it is the nearest blob, however far away, whoever else is expected there
};

inline constexpr int kNoBlob = -1;

// For each of `expected`, the index of its blob or kNoBlob. Those that are chosen first, in their
// order; then those that are within reach, the nearest pair before all others; then what is left
// goes to lost objects, the largest blob to the nearest of them. Ties go to the lower index.
std::vector<int> match_blobs(std::span<const ExpectedBlob> expected,
                             std::span<const ColorBlob> blobs);

}  // namespace cltrack
