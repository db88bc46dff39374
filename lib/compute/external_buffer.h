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

// The first acquire() and the last release() of several at a time are commands of the driver.
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

 private:
  void change_owner(const char* function, const char* doing);

  const std::shared_ptr<Device> device_;
  const cl::Buffer buffer_;
  const std::size_t bytes_;
  const bool imported_;
  std::mutex mutex_;
  int acquired_ = 0;
};

}  // namespace cltrack
