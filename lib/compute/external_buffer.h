// SPDX-License-Identifier: LGPL-2.1-or-later
// OpenCL memory that is not the library's own: a buffer of the application, or one that stands for
// imported memory.
//
// Threading: safe.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "cltrack/device_picture.h"
#include "compute/cl.h"
#include "compute/device.h"

namespace cltrack {

// The first acquire() and the last release() of several at a time are commands of the driver, given
// to Device::mapping_commands(), for which nobody waits: later commands there come after them.
class ExternalBuffer final : public DeviceMemory {
 public:
  // `imported`: other interfaces have it, too.
  ExternalBuffer(std::shared_ptr<Device> device, cl::Buffer buffer, std::size_t bytes,
                 bool imported);

  std::size_t size() const override { return bytes_; }
  const DeviceInfo& device() const override { return device_->info(); }
  bool has_failed() const override { return device_->has_failed(); }

  const std::shared_ptr<Device>& opened() const { return device_; }
  const cl::Buffer& buffer() const { return buffer_; }

  void acquire() override;
  void release() override;
  // While it is acquired: what commands of other queues have to wait for; null if nothing.
  cl::Event acquired() const;

 private:
  cl::Event change_owner(const char* function, const char* doing);

  const std::shared_ptr<Device> device_;
  const cl::Buffer buffer_;
  const std::size_t bytes_;
  const bool imported_;
  mutable std::mutex mutex_;
  int users_ = 0;
  cl::Event acquired_;
};

}  // namespace cltrack
