// SPDX-License-Identifier: LGPL-2.1-or-later
// Host memory that a device's driver has locked, for pictures that will be uploaded: from there,
// the device fetches them by itself, without the driver's copying them first.
//
// Threading: data() is plain memory; making and destroying are safe anywhere.
#pragma once

#include <cstddef>
#include <memory>

#include "../core/export.h"
#include "device_info.h"

namespace cltrack {

class CLTRACK_API PinnedMemory {
 public:
  // Whether uploads to the device copy at all.
  static bool is_useful_for(const DeviceInfo& info);

  // `bytes` bytes, aligned as anything may want; holds the device open. Null if the driver has no
  // such memory to give.
  static std::unique_ptr<PinnedMemory> make(const DeviceInfo& info, std::size_t bytes);
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
