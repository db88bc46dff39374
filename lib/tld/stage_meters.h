// SPDX-License-Identifier: LGPL-2.1-or-later
// What each stage of TLD costs: time, and what travels between host and devices. A stage is at work
// several times in a frame, on several threads, and for every target; all of that together is one
// call of it.
//
// Threading: one thread at a time, the one that uses the queues.
#pragma once

#include <array>
#include <chrono>
#include <vector>

#include "cltrack/tracker.h"
#include "compute/placed_devices.h"
#include "core/stage_clock.h"

namespace cltrack {

// Two steps of a frame are no stage that could be placed: planes are made where flow and ferns run,
// and the first frame of a target is learnt at the start.
enum class Step { planes, flow, ferns, nn, learn, start };
inline constexpr std::size_t kStepCount = 6;

class StageMeters {
 public:
  explicit StageMeters(const PlacedDevices& devices);

  // Adds the time of all threads until it goes out of scope, and what queues carry meanwhile.
  class Measure {
   public:
    Measure(StageMeters& meters, Step step);
    ~Measure();
    Measure(const Measure&) = delete;
    Measure& operator=(const Measure&) = delete;

   private:
    StageMeters& meters_;
    Step step_;
    TransferCount before_;
    std::chrono::steady_clock::time_point start_;
  };
  Measure measure(Step step) { return Measure(*this, step); }

  // What was added since the last time is one call of each stage that was at work.
  void end_frame();

  void forget_latest();  // medians are of what comes from now on
  void reset();
  std::vector<StageStats> stats() const;

 private:
  struct Meter {
    StageClock clock;
    std::chrono::nanoseconds time = {};  // in this frame
    TransferCount transfers = {};
  };

  Meter& of(Step step) { return meters_[static_cast<std::size_t>(step)]; }
  std::string device_of(Step step) const;

  const PlacedDevices& devices_;
  std::array<Meter, kStepCount> meters_;
};

}  // namespace cltrack
