// SPDX-License-Identifier: LGPL-2.1-or-later
// Host memory that a device's driver has locked: the device copies from there and to there by
// itself. Elsewhere the driver copies once more, and what is queued behind waits for that.
//
// Threading: data() is plain memory; making and destroying are safe anywhere.
#pragma once

#include <cstddef>
#include <memory>

#include "cltrack/device_info.h"
#include "cltrack/export.h"

namespace cltrack {

class Device;

class CLTRACK_API PinnedMemory {
 public:
  // Whether uploads to the device copy at all.
  static bool is_useful_for(const DeviceInfo& info);

  // `bytes` bytes, aligned as the driver likes; holds the device open. Waits for no queue. Null if
  // the driver has no such memory to give.
  static std::unique_ptr<PinnedMemory> make(const DeviceInfo& info, std::size_t bytes);
  // The same of a device that is open; inside of the library.
  static std::unique_ptr<PinnedMemory> make(std::shared_ptr<Device> device, std::size_t bytes);

  // Whether `data` points into some of it.
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
