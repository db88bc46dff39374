// SPDX-License-Identifier: LGPL-2.1-or-later
// The open devices of a resolved placement, with one queue each: stages on the same device share
// it, so that the next stage can use results without waiting. Stages are numbers: their index in
// the placement.
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
  // The host's queue, which exists even if no stage runs there.
  Queue& host() const { return *distinct_.front(); }

  // Work of a stage: calls of operations with its queue.
  struct Work {
    std::size_t stage;
    std::function<void()> run;
  };
  // Runs chains of work; each item of a chain needs the results of the one before. Work of devices
  // is queued first, so that devices and host work at the same time.
  void run(const std::vector<std::vector<Work>>& chains) const;
  // Runs independent work, on the host's threads at the same time.
  void run_together(const std::vector<Work>& all) const;

  // Whether they share a queue.
  bool together(std::size_t a, std::size_t b) const { return &queue(a) == &queue(b); }
  // The sum over all queues since they were made.
  TransferCount transfers() const;
  Device& device(std::size_t stage) const { return queue(stage).device(); }

 private:
  std::shared_ptr<Queue> queue_on(const std::shared_ptr<Device>& device);

  bool on_host(const Work& work) const { return queue(work.stage).is_host(); }

  std::vector<std::shared_ptr<Queue>> distinct_;  // one for each device, the host's first
  std::vector<std::shared_ptr<Queue>> queues_;    // of the stages
};

}  // namespace cltrack
