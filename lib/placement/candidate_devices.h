// SPDX-License-Identifier: LGPL-2.1-or-later
// The devices that stages left to `auto` may move to: made ready in the background, so that no
// frame ever waits for one, and by a process of its own (child_process.h), so that no driver's
// compiler takes this one with it. Where there is no such program, it is done here, if there is
// room on disk for the compiler.
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
  // Ends what is under way; waits for a program only where it is built in this process.
  ~CandidateDevices();
  CandidateDevices(const CandidateDevices&) = delete;
  CandidateDevices& operator=(const CandidateDevices&) = delete;

  // Builds what the stages need on all devices of the machine, GPUs first, opens those on which
  // that succeeds and runs it once, at low priority. Does not wait; the second call does nothing.
  void start();

  // How many devices have become ready; changes while start() is at work.
  std::size_t ready_count() const { return ready_count_; }
  // Those, in the order in which they became it, and still are.
  std::vector<DeviceInfo> ready() const;
  // Nothing more will become ready.
  bool is_complete() const { return complete_; }

  // A device has failed: it is not ready any more, for nobody.
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
