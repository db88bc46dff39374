// SPDX-License-Identifier: LGPL-2.1-or-later
// How long the stages of a tracker take: totals for good, median and p99 over the latest calls.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include "core/tracker.h"

namespace cltrack {

class StageClock {
 public:
  explicit StageClock(std::string name) : name_(std::move(name)) {}

  // Adds the time until it goes out of scope as one call.
  class Measure {
   public:
    explicit Measure(StageClock& clock) : clock_(clock), start_(Clock::now()) {}
    ~Measure() { clock_.add(std::chrono::duration<float, std::milli>(Clock::now() - start_)); }
    Measure(const Measure&) = delete;
    Measure& operator=(const Measure&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    StageClock& clock_;
    Clock::time_point start_;
  };

  Measure measure() { return Measure(*this); }
  void add(std::chrono::duration<float, std::milli> time);
  StageStats stats() const;
  void reset();

 private:
  std::string name_;
  std::uint64_t calls_ = 0;
  double total_ms_ = 0;
  std::array<float, 512> latest_ms_ = {};
};

}  // namespace cltrack
