// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/warm_device.h"

#include <string>
#include <utility>

#include "cltrack/error.h"
#include "compute/device.h"
#include "core/log.h"

namespace cltrack {

WarmDevice::WarmDevice(const Placement& placement, Stage stage, std::function<void()> warm_up)
    : stages_(resolve(placement)) {
  std::erase_if(stages_, [&](const PlacedStage& placed) { return placed.stage != stage; });
  const DeviceInfo& info = stages_.front().device;
  if (info.type == DeviceType::host) return;
  device_ = Device::open(info);
  warm_ = std::async(std::launch::async, [warm_up = std::move(warm_up)] {
    try {
      warm_up();
    } catch (const Error& error) {
      log(LogLevel::info, std::string("warming up: ") + error.what());
    }
  });
}

WarmDevice::~WarmDevice() = default;

void WarmDevice::wait() const {
  if (warm_.valid()) warm_.wait();
}

}  // namespace cltrack
