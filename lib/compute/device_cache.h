// SPDX-License-Identifier: LGPL-2.1-or-later
// Keeps devices open, so that their contexts and programs are ready for the next user: another
// tracker of the process, or one that stops and starts again.
//
// Threading: safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cltrack/device_info.h"
#include "cltrack/export.h"

namespace cltrack {

class Device;

class CLTRACK_API DeviceCache {
 public:
  DeviceCache();
  ~DeviceCache();
  DeviceCache(const DeviceCache&) = delete;
  DeviceCache& operator=(const DeviceCache&) = delete;

  // Keeps a device open, and opens it if needed; does nothing for the host. A device that has
  // failed is replaced by a new one.
  // Throws Error{device_failed} or Error{device_missing} if it cannot be opened.
  void keep(const DeviceInfo& device);

  // How many devices are kept.
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Device>> devices_;  // by DeviceInfo::spec
};

}  // namespace cltrack
