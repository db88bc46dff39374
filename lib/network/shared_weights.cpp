// SPDX-License-Identifier: LGPL-2.1-or-later
#include "network/shared_weights.h"

#include <algorithm>
#include <cstddef>
#include <mutex>

#include "compute/device.h"

namespace cltrack {
namespace {

struct Entry {
  std::weak_ptr<Device> device;
  std::weak_ptr<const Array<float>> weights;
};

struct Registry {
  std::mutex mutex;
  std::vector<Entry> entries;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace

std::shared_ptr<const Array<float>> shared_weights(const std::vector<float>& weights,
                                                   Queue& queue) {
  const std::lock_guard lock(registry().mutex);
  std::vector<Entry>& entries = registry().entries;
  std::erase_if(entries, [](const Entry& each) { return each.weights.expired(); });
  for (const Entry& each : entries) {
    const auto known = each.weights.lock();
    if (known != nullptr && each.device.lock() == queue.shared_device() &&
        std::ranges::equal(known->host_read(), weights)) {
      return known;
    }
  }
  Array<float> uploaded(weights);
  if (!queue.is_host()) {
    uploaded.device_read(queue);
    queue.finish();
  }
  // It remembers no queue, and so keeps none alive.
  const auto made = std::make_shared<Array<float>>();
  made->share(uploaded);
  entries.push_back({queue.shared_device(), made});
  return made;
}

}  // namespace cltrack
