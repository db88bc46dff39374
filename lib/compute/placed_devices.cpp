// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/placed_devices.h"

#include <algorithm>

namespace cltrack {

PlacedDevices::PlacedDevices(const std::vector<PlacedStage>& placement) {
  for (const PlacedStage& placed : placement) {
    queues_[static_cast<std::size_t>(placed.stage)] = queue_on(Device::open(placed.device));
  }
  // A stage that the placement does not name.
  for (std::shared_ptr<Queue>& queue : queues_) {
    if (queue == nullptr) queue = queue_on(Device::host());
  }
}

std::shared_ptr<Queue> PlacedDevices::queue_on(const std::shared_ptr<Device>& device) {
  const auto same = std::find_if(distinct_.begin(), distinct_.end(), [&](const auto& queue) {
    return &queue->device() == device.get();
  });
  if (same != distinct_.end()) return *same;
  distinct_.push_back(device->make_queue());
  return distinct_.back();
}

TransferCount PlacedDevices::transfers() const {
  TransferCount sum;
  for (const std::shared_ptr<Queue>& queue : distinct_) sum += queue->count();
  return sum;
}

}  // namespace cltrack
