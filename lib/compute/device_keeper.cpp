// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/device_keeper.h"

#include "compute/device.h"

namespace cltrack {

DeviceKeeper::DeviceKeeper() = default;

DeviceKeeper::~DeviceKeeper() = default;

void DeviceKeeper::keep(const std::vector<PlacedStage>& stages) {
  const std::lock_guard lock(mutex_);
  for (const PlacedStage& placed : stages) {
    if (placed.device.type == DeviceType::host) continue;
    devices_[placed.device.spec] = Device::open(placed.device);
  }
}

std::size_t DeviceKeeper::size() const {
  const std::lock_guard lock(mutex_);
  return devices_.size();
}

}  // namespace cltrack
