// SPDX-License-Identifier: LGPL-2.1-or-later
// Time between frames, and the times of a tracker's stages.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cltrack/export.h"
#include "cltrack/tracker.h"

namespace cltrack {

// How much time lies between a frame and the one before, in frame intervals of the stream: frames
// may have been dropped, or the rate may vary, and targets move on meanwhile.
//
// Threading: one thread at a time.
class CLTRACK_API FramePace {
 public:
  // More intervals than that are all alike.
  static constexpr int kMostSteps = 1000;

  // Takes each frame once: its Frame::pts, and whether it follows on from the one before. Returns
  // the frame intervals since then, rounded: 1 to kMostSteps; 1 where times are missing, do not
  // rise, or have not come before. The stream's frame interval is the median of the latest ones.
  int observe(std::int64_t pts, bool follows_on);

  // The frame interval, ns; 0: not known yet.
  std::int64_t interval() const;

  void reset() { *this = {}; }

 private:
  std::array<std::int64_t, 15> intervals_ = {};
  std::size_t count_ = 0;  // of intervals that were seen
  std::int64_t before_ = -1;
};

// Times of one stage of a tracker: the total of all calls, median and p99 over the latest ones.
class StageClock {
 public:
  explicit StageClock(std::string name) : name_(std::move(name)) {}

  void add(std::chrono::duration<float, std::milli> time);
  // Restarts median and p99.
  void forget_latest() { latest_ = 0; }
  StageStats stats() const;
  void reset();

 private:
  std::string name_;
  std::uint64_t calls_ = 0;
  std::uint64_t latest_ = 0;  // calls since forget_latest()
  double total_ms_ = 0;
  std::array<float, 512> latest_ms_ = {};
};

}  // namespace cltrack
