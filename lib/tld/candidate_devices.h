// SPDX-License-Identifier: LGPL-2.1-or-later
// The devices that stages left to `auto` may move to: made ready in the background, so that no
// frame ever waits for one.
//
// Threading: safe.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "compute/device.h"
#include "compute/placement.h"
#include "tld/config.h"

namespace cltrack {

class CandidateDevices {
 public:
  // `placement`: as TldDevices resolved it.
  CandidateDevices(const TldConfig& config, const std::vector<PlacedStage>& placement);
  ~CandidateDevices();  // waits for the one program that is being built
  CandidateDevices(const CandidateDevices&) = delete;
  CandidateDevices& operator=(const CandidateDevices&) = delete;

  // Opens all devices of the machine, GPUs first, builds what the stages need and runs it once, on
  // one thread of low priority. Does not wait; the second call does nothing.
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
  void prepare(const std::shared_ptr<Device>& device);

  const TldConfig config_;
  const std::vector<PlacedStage> placement_;
  std::atomic<std::size_t> ready_count_ = 0;
  std::atomic<bool> complete_ = false;
  std::atomic<bool> stop_ = false;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Device>> ready_;
  std::thread thread_;
};

}  // namespace cltrack
