// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/pinned_memory.h"

#include <exception>
#include <string>
#include <utility>

#include "compute/cl.h"
#include "compute/device.h"
#include "compute/queue.h"
#include "core/log.h"

namespace cltrack {

// Mapped from beginning to end: that is what makes it host memory.
struct PinnedMemory::Mapping {
  std::shared_ptr<Device> device;
  std::shared_ptr<Queue> queue;
  cl::Buffer buffer;
  void* data = nullptr;

  Mapping(const DeviceInfo& info, std::size_t bytes)
      : device(Device::open(info)),
        queue(device->make_queue()),
        buffer(device->context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes),
        data(queue->commands().enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                                bytes)) {}
  ~Mapping() {
    try {
      queue->commands().enqueueUnmapMemObject(buffer, data);
      queue->commands().finish();
    } catch (const cl::Error&) {
      // The buffer goes in any case.
    }
  }
};

PinnedMemory::PinnedMemory(std::unique_ptr<Mapping> mapping) : mapping_(std::move(mapping)) {}

PinnedMemory::~PinnedMemory() = default;

bool PinnedMemory::is_useful_for(const DeviceInfo& info) {
  return info.type != DeviceType::host && !info.is_zero_copy();
}

std::unique_ptr<PinnedMemory> PinnedMemory::make(const DeviceInfo& info, std::size_t bytes) {
  std::string reason;
  try {
    return std::unique_ptr<PinnedMemory>(new PinnedMemory(std::make_unique<Mapping>(info, bytes)));
  } catch (const cl::Error& error) {
    reason = cl_error_name(error.err());
  } catch (const std::exception& error) {
    reason = error.what();
  }
  log(LogLevel::info,
      "no pinned memory of " + std::to_string(bytes) + " bytes from " + info.spec + ": " + reason);
  return nullptr;
}

void* PinnedMemory::data() const { return mapping_->data; }

}  // namespace cltrack
