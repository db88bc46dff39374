// SPDX-License-Identifier: LGPL-2.1-or-later
// How much time lies between a frame and the one before, in usual intervals of the stream: frames
// may have been dropped, or the rate may vary, and targets move on meanwhile.
//
// Threading: one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cltrack {

class FramePace {
 public:
  // More intervals than that are all alike.
  static constexpr int kMostSteps = 1000;

  // Of each frame, once: its Frame::pts, and whether it follows on from the one before. Returns the
  // usual intervals since then, rounded: 1 to kMostSteps; 1 where times are missing, do not rise,
  // or have not been seen before. The median of the latest intervals is the usual one.
  int see(std::int64_t pts, bool follows_on);

  void reset() { *this = {}; }

 private:
  std::array<std::int64_t, 15> intervals_ = {};
  std::size_t count_ = 0;  // of intervals that were seen
  std::int64_t before_ = -1;
};

}  // namespace cltrack
