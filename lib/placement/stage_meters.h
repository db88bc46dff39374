// SPDX-License-Identifier: LGPL-2.1-or-later
// Measures the steps of a frame: time, and transfers between host and devices. A step may run
// several times in a frame, on several threads and for every target; together this counts as one
// call.
//
// Threading: one thread at a time, the one that uses the queues.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cltrack/tracker.h"
#include "core/timing.h"
#include "placement/placed_devices.h"

namespace cltrack {

// A step of a frame, most often a stage. Functions refer to it by its index in the constructor's
// list.
struct StepInfo {
  const char* name;
  std::vector<std::size_t> stages;  // it runs on their devices; empty: on the host
};

class StageMeters {
 public:
  // `devices` must outlive this.
  StageMeters(const PlacedDevices& devices, const std::vector<StepInfo>& steps);

  // Adds the time of all threads and the queues' transfers until the end of its scope.
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

  // Counts what was added since the last call of this function as one call of each step.
  void end_frame();

  void forget_latest();  // restarts medians
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
