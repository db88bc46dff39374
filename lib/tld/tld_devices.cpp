// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tld_devices.h"

#include <algorithm>
#include <future>
#include <utility>

#include "cltrack/error.h"
#include "compute/device.h"
#include "core/log.h"
#include "tld/candidate_devices.h"
#include "tld/stage_programs.h"
#include "tld/warm_up.h"

namespace cltrack {

struct TldDevices::Open {
  std::vector<std::shared_ptr<Device>> devices;
  std::vector<std::shared_future<void>> builds;
  std::future<void> warm;  // its destruction waits
};

TldDevices::TldDevices(const TldConfig& config) : open_(std::make_unique<Open>()) {
  validate(config);
  stages_ = resolve(config.placement);
  std::erase_if(stages_, [](const PlacedStage& placed) {
    return std::ranges::find(kTldStages, placed.stage) == kTldStages.end();
  });
  candidates_ = std::make_unique<CandidateDevices>(config, stages_);
  for (const PlacedStage& placed : stages_) {
    if (placed.device.type == DeviceType::host) continue;
    std::shared_ptr<Device> device = Device::open(placed.device);
    std::vector<ProgramName> programs = programs_of(placed.stage, *device, config);
    if (!programs.empty()) {
      open_->builds.push_back(device->build_in_background(std::move(programs)));
    }
    open_->devices.push_back(std::move(device));
  }
  if (open_->devices.empty()) return;
  open_->warm = std::async(std::launch::async, [config, stages = stages_, builds = open_->builds] {
    try {
      for (const std::shared_future<void>& build : builds) build.get();
      warm_up(config, stages);
    } catch (const Error& error) {
      log(LogLevel::info, std::string("warming up: ") + error.what());
    }
  });
}

TldDevices::~TldDevices() = default;

std::vector<PlacedStage> TldDevices::stages() const {
  const std::lock_guard lock(mutex_);
  return stages_;
}

void TldDevices::publish(const std::vector<PlacedStage>& stages) {
  const std::lock_guard lock(mutex_);
  stages_ = stages;
}

void TldDevices::wait() const {
  if (open_->warm.valid()) open_->warm.wait();
}

}  // namespace cltrack
