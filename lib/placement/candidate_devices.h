// SPDX-License-Identifier: LGPL-2.1-or-later
// The devices that `auto` may choose. They are prepared in the background, so that no frame waits,
// and in a child process (child_process.h), in case a driver's compiler crashes. Without the helper
// program they are prepared in this process, if the compiler has enough disk space.
//
// Threading: safe.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "cltrack/placement.h"
#include "compute/device.h"
#include "placement/tracker_kind.h"

namespace cltrack {

class CandidateDevices {
 public:
  // `placement`: as TrackerDevices resolved it.
  CandidateDevices(const TrackerKind& kind, const std::vector<PlacedStage>& placement);
  // Stops the preparation; waits only for a program that is being built in this process.
  ~CandidateDevices();
  CandidateDevices(const CandidateDevices&) = delete;
  CandidateDevices& operator=(const CandidateDevices&) = delete;

  // Builds the stages' programs for all devices of the machine, GPUs first; where that succeeds,
  // opens the device and runs them once. Works at low priority in the background; the second call
  // does nothing.
  void start();

  // How many devices are ready; grows after start().
  std::size_t ready_count() const { return ready_count_; }
  // The devices that are ready, in the order in which they became so.
  std::vector<DeviceInfo> ready() const;
  // Nothing more will become ready.
  bool is_complete() const { return complete_; }

  // Excludes a device that has failed, for all trackers.
  void leave_out(const DeviceInfo& device);

 private:
  void prepare();
  void prepare(const DeviceInfo& info);

  const TrackerKind kind_;
  const std::vector<PlacedStage> placement_;
  std::atomic<std::size_t> ready_count_ = 0;
  std::atomic<bool> complete_ = false;
  std::stop_source stop_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Device>> ready_;
  std::thread thread_;
};

}  // namespace cltrack
