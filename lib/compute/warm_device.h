// SPDX-License-Identifier: LGPL-2.1-or-later
// The device of a tracker that has one stage, open, with its programs being built and run once in
// the background. Threading: any.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <vector>

#include "cltrack/placement.h"

namespace cltrack {

class Device;

class WarmDevice {
 public:
  // Places `stage` as `placement` says. `warm_up` runs on a thread of its own, unless on the host;
  // what it throws is logged: it is thrown again where the device is used.
  // Throws what resolve() throws, and Error{device_failed} if the device cannot be opened.
  WarmDevice(const Placement& placement, Stage stage, std::function<void()> warm_up);
  ~WarmDevice();  // waits for warm_up
  WarmDevice(const WarmDevice&) = delete;
  WarmDevice& operator=(const WarmDevice&) = delete;

  const std::vector<PlacedStage>& stages() const { return stages_; }  // one entry

  void wait() const;  // for warm_up

 private:
  std::vector<PlacedStage> stages_;
  std::shared_ptr<Device> device_;
  std::future<void> warm_;  // its destruction waits
};

}  // namespace cltrack
