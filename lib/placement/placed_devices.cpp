// SPDX-License-Identifier: LGPL-2.1-or-later
#include "placement/placed_devices.h"

#include <algorithm>
#include <future>
#include <span>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "cltrack/tracker_devices.h"
#include "compute/device.h"
#include "core/log.h"
#include "placement/candidate_devices.h"
#include "placement/tracker_kind.h"

namespace cltrack {

PlacedDevices::PlacedDevices(const std::vector<PlacedStage>& placement,
                             std::shared_ptr<Queue> host) {
  distinct_.push_back(std::move(host));
  for (const PlacedStage& placed : placement) {
    queues_.push_back(queue_on(Device::open(placed.device)));
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

void PlacedDevices::run(const std::vector<std::vector<Work>>& chains) const {
  std::vector<std::span<const Work>> rests;
  std::vector<std::span<const Work>> waiting;  // for a device
  for (const std::vector<Work>& chain : chains) {
    const auto rest =
        std::ranges::find_if(chain, [this](const Work& work) { return on_host(work); });
    std::for_each(chain.begin(), rest, [](const Work& work) { work.run(); });
    (rest == chain.begin() ? rests : waiting).emplace_back(rest, chain.end());
  }
  rests.insert(rests.end(), waiting.begin(), waiting.end());
  for (const std::span<const Work> rest : rests) {
    for (const Work& work : rest) work.run();
  }
}

void PlacedDevices::run_together(const std::vector<Work>& all) const {
  std::vector<const Work*> on_threads;
  for (const Work& work : all) {
    if (on_host(work)) {
      on_threads.push_back(&work);
    } else {
      work.run();
    }
  }
  host().run(static_cast<int>(on_threads.size()),
             [&](int i) { on_threads[static_cast<std::size_t>(i)]->run(); });
}

TransferCount PlacedDevices::transfers() const {
  TransferCount sum;
  for (const std::shared_ptr<Queue>& queue : distinct_) sum += queue->count();
  return sum;
}

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
