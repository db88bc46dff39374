// SPDX-License-Identifier: LGPL-2.1-or-later
// Page-locked host memory, which a device reads and writes by DMA. From other memory the driver
// makes one more copy, and later commands wait for it.
//
// Threading: data() is plain memory; making and destroying are safe on any thread.
#pragma once

#include <cstddef>
#include <memory>

#include "cltrack/device_info.h"
#include "cltrack/export.h"

namespace cltrack {

class Device;

class CLTRACK_API PinnedMemory {
 public:
  // Whether uploads to the device copy data.
  static bool is_useful_for(const DeviceInfo& info);

  // `bytes` bytes with the driver's alignment; keeps the device open. Does not wait for queues.
  // Null if the driver has no such memory.
  static std::unique_ptr<PinnedMemory> make(const DeviceInfo& info, std::size_t bytes);
  // The same for a device that is open; for use in the library.
  static std::unique_ptr<PinnedMemory> make(std::shared_ptr<Device> device, std::size_t bytes);

  // Whether `data` points into pinned memory.
  static bool holds(const void* data);

  ~PinnedMemory();
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  void* data() const;

 private:
  struct Mapping;
  explicit PinnedMemory(std::unique_ptr<Mapping> mapping);
  std::unique_ptr<Mapping> mapping_;
};

}  // namespace cltrack
