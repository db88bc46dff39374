// SPDX-License-Identifier: LGPL-2.1-or-later
// How long the stages of a tracker take: totals for good, median and p99 over the latest calls.
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
  // Median and p99 are of what comes from now on.
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
