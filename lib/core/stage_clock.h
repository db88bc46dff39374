// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of one stage of a tracker: the total of all calls, median and p99 over the latest ones.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include "cltrack/tracker.h"

namespace cltrack {

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
