// SPDX-License-Identifier: LGPL-2.1-or-later
// The devices of a resolved placement, opened, with one queue each: stages on the same device share
// it, so that what one of them writes is there for the next without waiting.
//
// Threading: as Queue, one thread at a time.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "cltrack/placement.h"
#include "compute/device.h"
#include "compute/queue.h"

namespace cltrack {

class PlacedDevices {
 public:
  // Throws what Device::open() throws.
  explicit PlacedDevices(const std::vector<PlacedStage>& placement);

  Queue& queue(Stage stage) const { return *queues_[static_cast<std::size_t>(stage)]; }
  const std::shared_ptr<Queue>& shared_queue(Stage stage) const {
    return queues_[static_cast<std::size_t>(stage)];
  }
  // Whether they share a queue.
  bool together(Stage a, Stage b) const { return &queue(a) == &queue(b); }
  // What all queues together have carried since they were made.
  TransferCount transfers() const;
  Device& device(Stage stage) const { return queue(stage).device(); }

 private:
  std::shared_ptr<Queue> queue_on(const std::shared_ptr<Device>& device);

  std::vector<std::shared_ptr<Queue>> distinct_;  // one for each device
  std::array<std::shared_ptr<Queue>, kStageCount> queues_;
};

}  // namespace cltrack
