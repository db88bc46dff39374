// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/device_keeper.h"

#include "compute/device.h"

namespace cltrack {

DeviceKeeper::DeviceKeeper() = default;

DeviceKeeper::~DeviceKeeper() = default;

void DeviceKeeper::keep(const DeviceInfo& device) {
  if (device.type == DeviceType::host) return;
  const std::lock_guard lock(mutex_);
  devices_[device.spec] = Device::open(device);
}

std::size_t DeviceKeeper::size() const {
  const std::lock_guard lock(mutex_);
  return devices_.size();
}

}  // namespace cltrack
