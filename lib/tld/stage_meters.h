// SPDX-License-Identifier: LGPL-2.1-or-later
// What each stage of TLD costs: time, and what travels between host and devices. A stage is at work
// several times in a frame, on several threads, and for every target; all of that together is one
// call of it.
//
// Threading: time() on any thread, everything else on the one that uses the queues, while no time()
// is under way.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
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

  // Adds the time until it goes out of scope.
  class Timing {
   public:
    explicit Timing(std::atomic<std::int64_t>& sum) : sum_(sum), start_(Clock::now()) {}
    ~Timing() { sum_ += std::chrono::nanoseconds(Clock::now() - start_).count(); }
    Timing(const Timing&) = delete;
    Timing& operator=(const Timing&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    std::atomic<std::int64_t>& sum_;
    Clock::time_point start_;
  };
  Timing time(Step step) { return Timing(of(step).nanoseconds); }

  // As time(), with all that queues carry meanwhile.
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
    Timing timing_;
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
    std::atomic<std::int64_t> nanoseconds = 0;  // in this frame
    TransferCount transfers = {};
  };

  Meter& of(Step step) { return meters_[static_cast<std::size_t>(step)]; }
  std::string device_of(Step step) const;

  const PlacedDevices& devices_;
  std::array<Meter, kStepCount> meters_;
};

}  // namespace cltrack
