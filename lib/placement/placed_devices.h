// SPDX-License-Identifier: LGPL-2.1-or-later
// The devices of a resolved placement, opened, with one queue each: stages on the same device share
// it, so that what one of them writes is there for the next without waiting. A stage is its number
// in the placement.
//
// Threading: as Queue, one thread at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "cltrack/placement.h"
#include "compute/device.h"
#include "compute/queue.h"

namespace cltrack {

class PlacedDevices {
 public:
  // Throws what Device::open() throws.
  // `host`: the queue of stages on the host.
  PlacedDevices(const std::vector<PlacedStage>& placement, std::shared_ptr<Queue> host);

  Queue& queue(std::size_t stage) const { return *queues_[stage]; }
  const std::shared_ptr<Queue>& shared_queue(std::size_t stage) const { return queues_[stage]; }
  // The host's queue, whether a stage runs there or not.
  Queue& host() const { return *distinct_.front(); }

  // Work of a stage: calls of operations with its queue.
  struct Work {
    std::size_t stage;
    std::function<void()> run;
  };
  // Runs chains of work, each of which needs what the one before it in its chain has made. What
  // devices do is queued first, so that they and the host work at the same time.
  void run(const std::vector<std::vector<Work>>& chains) const;
  // Runs work that is independent of each other: the host's at the same time, too.
  void run_together(const std::vector<Work>& all) const;

  // Whether they share a queue.
  bool together(std::size_t a, std::size_t b) const { return &queue(a) == &queue(b); }
  // What all queues together have carried since they were made.
  TransferCount transfers() const;
  Device& device(std::size_t stage) const { return queue(stage).device(); }

 private:
  std::shared_ptr<Queue> queue_on(const std::shared_ptr<Device>& device);

  bool on_host(const Work& work) const { return queue(work.stage).is_host(); }

  std::vector<std::shared_ptr<Queue>> distinct_;  // one for each device, the host's first
  std::vector<std::shared_ptr<Queue>> queues_;    // of the stages
};

}  // namespace cltrack
