// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/pinned_memory.h"

#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "compute/cl.h"
#include "compute/device.h"
#include "core/log.h"

namespace cltrack {

namespace {

// All pinned memory, by its end.
struct Ranges {
  std::mutex mutex;
  std::map<const void*, const void*, std::less<>> begins;  // of each end

  void add(const void* begin, const void* end) {
    const std::lock_guard lock(mutex);
    begins[end] = begin;
  }
  void remove(const void* end) {
    const std::lock_guard lock(mutex);
    begins.erase(end);
  }
  bool hold(const void* data) {
    const std::lock_guard lock(mutex);
    const auto after = begins.upper_bound(data);
    return after != begins.end() && !std::less<>()(data, after->second);
  }
};

// Never destroyed: static objects may hold pinned memory.
Ranges& ranges() {
  static Ranges& instance = *new Ranges;
  return instance;
}

}  // namespace

// A buffer that stays mapped from construction to destruction.
struct PinnedMemory::Mapping {
  std::shared_ptr<Device> device;
  cl::Buffer buffer;
  void* data = nullptr;
  void* end = nullptr;

  Mapping(std::shared_ptr<Device> of, std::size_t bytes)
      : device(std::move(of)),
        buffer(device->context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes),
        data(device->mapping_commands().enqueueMapBuffer(buffer, CL_TRUE,
                                                         CL_MAP_READ | CL_MAP_WRITE, 0, bytes)),
        end(static_cast<std::byte*>(data) + bytes) {
    ranges().add(data, end);
  }
  ~Mapping() {
    ranges().remove(end);
    try {
      device->mapping_commands().enqueueUnmapMemObject(buffer, data);
      device->mapping_commands().finish();
    } catch (const std::exception&) {
      // The buffer is released all the same.
    }
  }
};

PinnedMemory::PinnedMemory(std::unique_ptr<Mapping> mapping) : mapping_(std::move(mapping)) {}

PinnedMemory::~PinnedMemory() = default;

bool PinnedMemory::is_useful_for(const DeviceInfo& info) {
  return info.type != DeviceType::host && !info.is_zero_copy();
}

std::unique_ptr<PinnedMemory> PinnedMemory::make(const DeviceInfo& info, std::size_t bytes) {
  try {
    return make(Device::open(info), bytes);
  } catch (const std::exception& error) {
    log(LogLevel::info, "no pinned memory: " + std::string(error.what()));
  }
  return nullptr;
}

std::unique_ptr<PinnedMemory> PinnedMemory::make(std::shared_ptr<Device> device,
                                                 std::size_t bytes) {
  const std::string label = device->label();
  std::string reason;
  try {
    auto mapping = std::make_unique<Mapping>(std::move(device), bytes);
    return std::unique_ptr<PinnedMemory>(new PinnedMemory(std::move(mapping)));
  } catch (const cl::Error& error) {
    reason = cl_error_name(error.err());
  } catch (const std::exception& error) {
    reason = error.what();
  }
  log(LogLevel::info,
      "no pinned memory of " + std::to_string(bytes) + " bytes from " + label + ": " + reason);
  return nullptr;
}

bool PinnedMemory::holds(const void* data) { return ranges().hold(data); }

void* PinnedMemory::data() const { return mapping_->data; }

}  // namespace cltrack
