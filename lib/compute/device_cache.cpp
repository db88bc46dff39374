// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/device_cache.h"

#include "compute/device.h"

namespace cltrack {

DeviceCache::DeviceCache() = default;

DeviceCache::~DeviceCache() = default;

void DeviceCache::keep(const DeviceInfo& device) {
  if (device.type == DeviceType::host) return;
  const std::lock_guard lock(mutex_);
  devices_[device.spec] = Device::open(device);
}

std::size_t DeviceCache::size() const {
  const std::lock_guard lock(mutex_);
  return devices_.size();
}

}  // namespace cltrack
