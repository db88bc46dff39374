// SPDX-License-Identifier: LGPL-2.1-or-later
// What each step of a frame costs: time, and what travels between host and devices. A step is at
// work several times in a frame, on several threads, and for every target; all of that together is
// one call of it.
//
// Threading: one thread at a time, the one that uses the queues.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cltrack/tracker.h"
#include "core/stage_clock.h"
#include "placement/placed_devices.h"

namespace cltrack {

// A part of what is done with a frame; a stage, most often. Elsewhere it is its number among those
// that a StageMeters was made of.
struct StepInfo {
  const char* name;
  std::vector<std::size_t> stages;  // where their devices are, it runs; none: on the host
};

class StageMeters {
 public:
  // `devices` must outlive this.
  StageMeters(const PlacedDevices& devices, const std::vector<StepInfo>& steps);

  // Adds the time of all threads until it goes out of scope, and what queues carry meanwhile.
  class Measure {
   public:
    Measure(StageMeters& meters, std::size_t step);
    ~Measure();
    Measure(const Measure&) = delete;
    Measure& operator=(const Measure&) = delete;

   private:
    StageMeters& meters_;
    std::size_t step_;
    TransferCount before_;
    std::chrono::steady_clock::time_point start_;
  };
  Measure measure(std::size_t step) { return Measure(*this, step); }

  // What was added since the last time is one call of each step that was at work.
  void end_frame();

  void forget_latest();  // medians are of what comes from now on
  void reset();
  std::vector<StageStats> stats() const;

 private:
  struct Meter {
    StageClock clock;
    std::vector<std::size_t> stages;
    std::int64_t nanoseconds = 0;  // in this frame
    TransferCount transfers = {};
  };

  std::string device_of(const Meter& meter) const;

  const PlacedDevices& devices_;
  std::vector<Meter> meters_;
};

}  // namespace cltrack
