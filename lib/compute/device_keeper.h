// SPDX-License-Identifier: LGPL-2.1-or-later
// Keeps devices open, so that whoever uses them next finds contexts and programs ready: several
// trackers of a process, or one that stops and starts again.
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

class CLTRACK_API DeviceKeeper {
 public:
  DeviceKeeper();
  ~DeviceKeeper();
  DeviceKeeper(const DeviceKeeper&) = delete;
  DeviceKeeper& operator=(const DeviceKeeper&) = delete;

  // Keeps a device, which is opened if nobody has it open; the host needs no keeping. A device that
  // has failed is let go of in favour of a new one.
  // Throws Error{device_failed} or Error{device_missing} if it cannot be opened.
  void keep(const DeviceInfo& device);

  // How many devices are kept.
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Device>> devices_;  // by the spec that always means them
};

}  // namespace cltrack
