// SPDX-License-Identifier: LGPL-2.1-or-later
// Devices that `auto` may choose: built and run once, in a process of its own.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cltrack/placement.h"
#include "compute/device.h"
#include "placement/tracker_kind.h"

namespace cltrack {

// Prepares a device for trials: builds all programs and runs them once. Also as a command line for
// the helper program, which does this in its own process and leaves the programs in the caches of
// cltrack and of the driver.

struct BuildRequest {
  TrackerKind kind;
  std::vector<PlacedStage> placement;  // programs are built for `automatic` stages
};

// Builds and runs. Throws what the devices throw, and Error{interrupted}.
void build_and_warm_up(const BuildRequest& request, const std::stop_token& stop);

// The request as arguments, with the version of this library.
std::vector<std::string> to_arguments(const BuildRequest& request);

// Makes the kind of that name with these settings; throws Error{invalid_argument} if the name or a
// setting is unknown.
using MakeKind =
    std::function<TrackerKind(std::string_view name, std::span<const std::string> settings)>;

// Throws Error{invalid_argument} for unknown arguments or another version's, and
// Error{device_missing} if a device is not present any more.
BuildRequest from_arguments(std::span<const std::string> arguments, const MakeKind& make_kind);

// The devices that `auto` may choose. They are prepared in the background, so that no frame waits,
// and in a child process (child_process.h), in case a driver's compiler crashes. Without the helper
// program they are prepared in this process, if the compiler has enough disk space.
//
// Threading: safe.
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
