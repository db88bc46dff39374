// SPDX-License-Identifier: LGPL-2.1-or-later
#include "placement/placed_devices.h"

#include <algorithm>
#include <span>
#include <utility>

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

}  // namespace cltrack
