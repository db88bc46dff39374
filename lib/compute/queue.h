// SPDX-License-Identifier: LGPL-2.1-or-later
// An in-order queue of a device or the host. Operations take it as their first argument and return
// when everything is queued. On the host, the queue's threads have then done it. For a device with
// memory of its own, commands are recorded until somebody waits, and go to the driver together with
// other queues' (submitter.h): the next call that waits throws the error of a
// command.
//
// Commands are numbered: position() is the number of the latest one. So arrays need no event for
// each command.
//
// Threading: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/cl_fwd.h"
#include "compute/device.h"
#include "core/thread_pool.h"

namespace cltrack {

// The work of a queue since it was made; the difference of two is the cost of a stage.
struct TransferCount {
  std::uint64_t bytes_up = 0;    // copied from host to device
  std::uint64_t bytes_down = 0;  // copied from device to host
  std::uint64_t copies = 0;
  std::uint64_t waits = 0;  // times that the host waited for the device
  std::uint64_t launches = 0;
  std::uint64_t thread_ns = 0;  // on the host's threads, except the one that called run()

  friend bool operator==(const TransferCount&, const TransferCount&) = default;
  TransferCount& operator+=(const TransferCount& more);
  friend TransferCount operator-(const TransferCount& after, const TransferCount& before);
};

struct LaunchedKernel;
class Recording;

class Queue : public std::enable_shared_from_this<Queue> {
 public:
  // Use Device::make_queue(). Throws Error{device_failed}.
  Queue(std::shared_ptr<Device> device, int threads);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  bool is_host() const { return device_->is_host(); }
  Device& device() const { return *device_; }
  const std::shared_ptr<Device>& shared_device() const { return device_; }
  const TransferCount& count() const { return count_; }
  TransferCount& count() { return count_; }

  // A kernel that only this queue uses, so that setting its arguments needs no lock; or, if
  // commands are recorded, whoever submits.
  LaunchedKernel& kernel(std::string_view program, std::string_view kernel,
                         std::string_view options = {});

  // Commands to come, or null if they are given to the driver at once, by commands(). enqueued()
  // is called for each.
  Recording* recording() { return recording_.get(); }

  std::uint64_t position() const { return position_; }
  bool is_done(std::uint64_t position) const { return position <= done_; }
  // To be called after each command that is put into commands(); returns its number.
  std::uint64_t enqueued() { return ++position_; }

  // flush(), finish(), wait() and commands(), and wait_for() of another queue, end what there is in
  // scratch memory (compute/memory.h).

  // Starts what is queued, without waiting.
  void flush();
  // Waits until all is done.
  void finish();
  // Waits until the command of that number is done; `event` is its event, or null.
  void wait(std::uint64_t position, const cl::Event* event = nullptr);
  // Later commands of this queue begin after all commands of `other`, a queue of the same device.
  void wait_for(Queue& other);

  // For commands that are given to the driver directly, after all that is queued. Not for the host.
  const cl::CommandQueue& commands();

  // For the host only: calls part(0) ... part(count - 1) on the queue's threads and returns when
  // all are done; see ThreadPool::run. Results must not depend on the number of threads.
  void run(int count, const std::function<void(int)>& part);
  int threads() const { return pool_ ? pool_->threads() : 1; }
  // Appends that there are fewer threads than requested, once.
  void take_warnings(std::vector<std::string>& all);
  // After a stop request, run() begins no more parts and throws Error{interrupted}.
  void set_stop(std::stop_token stop) { stop_ = std::move(stop); }

 private:
  struct Handles;

  void hand_over();

  std::shared_ptr<Device> device_;
  std::unique_ptr<Handles> handles_;
  std::unique_ptr<Recording> recording_;
  std::unique_ptr<ThreadPool> pool_;  // for the host only
  bool told_shortage_ = false;
  std::stop_token stop_;
  TransferCount count_;
  std::uint64_t position_ = 0;
  std::uint64_t done_ = 0;
};

// A lock for launches on PoCL, which cannot run the same kernel in two queues at the same time.
//
// PoCL (3.1 to 5.0 at least) caches compiled kernels by the size of the first grid, and counts
// their users. If two queues run the same kernel at the same time, the second one with a larger
// grid, the count goes wrong and an assertion (pocl_release_dlhandle_cache) ends the process. This
// happens with trackers of several streams, and with the warm-up before the first frame. Queues of
// other drivers are not locked.
//
// Threading: any.

// To be held while a kernel is queued in `commands`. Waits until the commands of the driver's other
// queues are done. Empty for other drivers than PoCL.
std::unique_lock<std::mutex> lock_for_launch(const Device& device,
                                             const cl::CommandQueue& commands);

// To be called before the queue is destroyed.
void forget_queue(const Device& device, const cl::CommandQueue& commands) noexcept;

}  // namespace cltrack
