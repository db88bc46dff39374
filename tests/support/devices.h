// SPDX-License-Identifier: LGPL-2.1-or-later
// Running a test on every device present:
//
//   class BlurOnDevice : public test::DeviceTest {};
//   TEST_P(BlurOnDevice, EqualsHost) { ... blur(*queue_, src, dst); ... }
//   CLTRACK_ON_EVERY_DEVICE(BlurOnDevice);
//
// host is always among them. That nothing else was there is said by tests/compute/device_test.cpp,
// and fails where CLTRACK_REQUIRE_OPENCL=1.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/arena.h"
#include "compute/array.h"
#include "compute/device.h"
#include "compute/memory_copies.h"
#include "compute/queue.h"

namespace cltrack::test {

inline const std::vector<DeviceInfo>& devices() {
  static const std::vector<DeviceInfo> list = list_devices();
  return list;
}

// All of them, and those that work in the host's memory a second time, as if they were GPUs: with
// copies, and with the work cut the way that GPUs like. Oclgrind's simulator takes itself for a
// GPU; it gets the work cut the way that CPUs like, too.
inline std::vector<DeviceInfo> device_cases() {
  std::vector<DeviceInfo> cases;
  for (DeviceInfo device : devices()) {
    cases.push_back(device);
    if (device.name.starts_with("Oclgrind")) {
      device.type = DeviceType::cpu;
      device.unified_memory = true;  // each array is a buffer, whose bounds it checks
      device.units = 4;              // it has one, on which nothing would be cut
      cases.push_back(device);
    } else if (device.type == DeviceType::cpu && device.unified_memory) {
      device.type = DeviceType::gpu;
      device.unified_memory = false;
      cases.push_back(device);
    }
  }
  return cases;
}

// "host", "cpu_0_0" or "gpu_0_0".
inline std::string device_case_name(const testing::TestParamInfo<DeviceInfo>& info) {
  if (info.param.type == DeviceType::host) return "host";
  std::string name = to_string(info.param.type) + ("_" + info.param.spec);
  for (char& c : name) {
    if (c == '.') c = '_';
  }
  return name;
}

class DeviceTest : public testing::TestWithParam<DeviceInfo> {
 protected:
  std::shared_ptr<Device> device_ = Device::open(GetParam());
  std::shared_ptr<Queue> queue_ = device_->make_queue();

  // The same device, with the smallest work-groups that are asked of one.
  void allow_small_groups_only() {
    DeviceInfo info = GetParam();
    info.largest_group = 256;
    device_ = Device::open(info);
    queue_ = device_->make_queue();
  }
};

#define CLTRACK_ON_EVERY_DEVICE(suite)                                                         \
  INSTANTIATE_TEST_SUITE_P(Devices, suite, testing::ValuesIn(::cltrack::test::device_cases()), \
                           ::cltrack::test::device_case_name)

// Commands of the driver, in the place of a kernel. Buffers come from Array::device_update() and so
// on.
template <typename Work>
void on_device(Queue& queue, const Work& work) {
  std::optional<Arena::Use> use;
  if (queue.recording() != nullptr) {
    use.emplace(queue.device().arena().shared_from_this(), queue.commands());
  }
  work([&](const DeviceBuffer& buffer) {
    return buffer.piece != nullptr ? use->chunks()[buffer.piece->chunk] : buffer.whole;
  });
  queue.enqueued();
}
template <typename T>
void fill_on_device(Queue& queue, const DeviceBuffer& to, T value, std::size_t first,
                    std::size_t count) {
  on_device(queue, [&](const auto& whole) {
    queue.commands().enqueueFillBuffer(whole(to), value, to.offset + first * sizeof(T),
                                       count * sizeof(T));
  });
}
inline void copy_on_device(Queue& queue, const DeviceBuffer& from, const DeviceBuffer& to,
                           std::size_t bytes) {
  on_device(queue, [&](const auto& whole) {
    queue.commands().enqueueCopyBuffer(whole(from), whole(to), from.offset, to.offset, bytes);
  });
}

// Makes `array` hold `size` elements in a larger block, filled with a pattern on the device as
// well. An operation that resizes it to `size` or less leaves the pattern behind its results,
// unless it writes too far, which is_intact() tells.
template <typename T>
class Canary {
 public:
  Canary(Array<T>& array, std::size_t size, Queue& queue) : array_(array), size_(size) {
    array.resize(size + kGuard);
    auto* bytes = reinterpret_cast<std::uint8_t*>(array.host_write().data());
    std::fill_n(bytes, array.size() * sizeof(T), kPattern);
    if (!queue.is_host()) array.device_update(queue);
    array.resize(size);
  }

  bool is_intact() const {
    array_.resize(size_ + kGuard);
    const auto all = array_.host_read();
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(all.data());
    bool intact = true;
    for (std::size_t i = size_ * sizeof(T); i < all.size() * sizeof(T); ++i) {
      intact = intact && bytes[i] == kPattern;
    }
    array_.resize(size_);
    return intact;
  }

 private:
  static constexpr std::size_t kGuard = 1024;
  static constexpr std::uint8_t kPattern = 0xC3;
  Array<T>& array_;
  std::size_t size_;
};

}  // namespace cltrack::test

namespace cltrack {
// What a failed test says of its parameter.
inline void PrintTo(const DeviceInfo& info, std::ostream* out) {
  *out << info.spec << " as " << to_string(info.type);
}
}  // namespace cltrack
