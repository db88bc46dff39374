// SPDX-License-Identifier: LGPL-2.1-or-later
// Assigns the blobs of a colour to objects, from frame to frame.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cltrack/track.h"
#include "ops/color/color_blobs.h"

namespace cltrack {

// An object that may be among the blobs.
struct ExpectedBlob {
  TrackPoint place;     // where it is expected
  float reach = 0;      // largest distance from there, pixels
  bool lost = true;     // it may reappear anywhere
  bool chosen = false;  // it gets the nearest blob at any distance, before all others
};

inline constexpr int kNoBlob = -1;

// For each of `expected`, the index of its blob or kNoBlob. First those that are chosen, in their
// order; then those within reach, the nearest pair first; then lost objects get the remaining
// blobs, the largest blob first, each to the nearest object. Ties go to the lower index.
std::vector<int> match_blobs(std::span<const ExpectedBlob> expected,
                             std::span<const ColorBlob> blobs);

}  // namespace cltrack
