// SPDX-License-Identifier: LGPL-2.1-or-later
// What a stage that has a queue of its own costs: time, and what travels between host and device.
//
// Threading: one thread at a time.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "compute/queue.h"
#include "core/stage_clock.h"

namespace cltrack {

class QueueMeter {
 public:
  // `queue` must outlive this.
  QueueMeter(std::string name, const Queue& queue) : clock_(std::move(name)), queue_(queue) {}

  // From here until it goes out of scope is one call.
  class Measure {
   public:
    explicit Measure(QueueMeter& meter)
        : meter_(meter), before_(meter.queue_.count()), start_(Clock::now()) {}
    ~Measure() {
      meter_.clock_.add(Clock::now() - start_);
      meter_.transfers_ += meter_.queue_.count() - before_;
    }
    Measure(const Measure&) = delete;
    Measure& operator=(const Measure&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    QueueMeter& meter_;
    TransferCount before_;
    Clock::time_point start_;
  };
  Measure measure() { return Measure(*this); }

  void reset() {
    clock_.reset();
    transfers_ = {};
  }
  StageStats stats() const {
    StageStats stats = clock_.stats();
    stats.device = queue_.device().info().spec;
    stats.bytes_up = transfers_.bytes_up;
    stats.bytes_down = transfers_.bytes_down;
    stats.waits = transfers_.waits;
    return stats;
  }

 private:
  StageClock clock_;
  const Queue& queue_;
  TransferCount transfers_;
};

}  // namespace cltrack
