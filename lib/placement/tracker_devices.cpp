// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tracker_devices.h"

#include <future>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "compute/device.h"
#include "core/log.h"
#include "placement/candidate_devices.h"
#include "placement/tracker_kind.h"

namespace cltrack {

struct TrackerDevices::Open {
  std::vector<std::shared_ptr<Device>> devices;
  std::vector<std::shared_future<void>> builds;
  std::future<void> warm;  // its destruction waits
};

TrackerDevices::TrackerDevices(TrackerKind kind, const Placement& placement)
    : kind_(std::make_unique<const TrackerKind>(std::move(kind))),
      stages_(resolve(placement, kind_->stages)),
      candidates_(std::make_unique<CandidateDevices>(*kind_, stages_)),
      open_(std::make_unique<Open>()) {
  for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
    if (stages_[stage].device.type == DeviceType::host) continue;
    std::shared_ptr<Device> device = Device::open(stages_[stage].device);
    open_->builds.push_back(device->build_in_background(kind_->programs(stage, *device)));
    open_->devices.push_back(std::move(device));
  }
  if (open_->devices.empty()) return;
  // Without a thread for it, programs are built on the first frame.
  open_->warm = std::async(std::launch::async | std::launch::deferred,
                           [kind = kind_.get(), stages = stages_, builds = open_->builds] {
                             try {
                               for (const std::shared_future<void>& build : builds) build.get();
                               kind->warm_up(stages, {});
                             } catch (const Error& error) {
                               log(LogLevel::info, std::string("warming up: ") + error.what());
                             }
                           });
}

TrackerDevices::~TrackerDevices() = default;

std::vector<PlacedStage> TrackerDevices::stages() const {
  const std::lock_guard lock(mutex_);
  return stages_;
}

void TrackerDevices::publish(const std::vector<PlacedStage>& stages) {
  const std::lock_guard lock(mutex_);
  stages_ = stages;
}

void TrackerDevices::wait() const {
  if (open_->warm.valid()) open_->warm.wait();
}

std::shared_ptr<TrackerDevices> check_kind(std::shared_ptr<TrackerDevices> devices,
                                           std::string_view name) {
  const bool none = devices == nullptr;
  if (!none && devices->kind().name == name) return devices;
  const std::string tracker(name);
  throw Error(ErrorCode::invalid_argument,
              "make_" + tracker + "_tracker: devices " +
                  (none ? "is null, but must be set"
                        : "are those of a tracker of the kind " +
                              std::string(devices->kind().name) + ", not " + tracker));
}

}  // namespace cltrack
