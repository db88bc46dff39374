// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/queue.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compute/cl.h"
#include "core/log.h"

namespace cltrack {

TransferCount& TransferCount::operator+=(const TransferCount& more) {
  bytes_up += more.bytes_up;
  bytes_down += more.bytes_down;
  copies += more.copies;
  waits += more.waits;
  launches += more.launches;
  thread_ns += more.thread_ns;
  return *this;
}

TransferCount operator-(const TransferCount& after, const TransferCount& before) {
  return {after.bytes_up - before.bytes_up, after.bytes_down - before.bytes_down,
          after.copies - before.copies,     after.waits - before.waits,
          after.launches - before.launches, after.thread_ns - before.thread_ns};
}

struct Queue::Handles {
  cl::CommandQueue commands;
  std::map<std::string, cl::Kernel, std::less<>> kernels;
  std::string key;  // reused, so that finding a kernel allocates nothing
};

Queue::Queue(std::shared_ptr<Device> device, int threads) : device_(std::move(device)) {
  if (device_->is_host()) {
    pool_ = std::make_unique<ThreadPool>(threads);
    if (!pool_->shortage().empty()) log(LogLevel::warning, pool_->shortage());
    return;
  }
  handles_ = std::make_unique<Handles>();
  handles_->commands = translate_errors(
      device_.get(), [&] { return "making a queue on " + device_->label(); },
      [&] { return cl::CommandQueue(device_->context(), device_->cl_device(), 0); });
}

Queue::~Queue() { forget_queue(*this); }

cl::Kernel& Queue::kernel(std::string_view program, std::string_view kernel,
                          std::string_view options) {
  std::string& key = handles_->key;
  key.assign(program).append("\n").append(kernel).append("\n").append(options);
  const auto known = handles_->kernels.find(key);
  if (known != handles_->kernels.end()) return known->second;
  return handles_->kernels.emplace(key, device_->kernel(program, kernel, options)).first->second;
}

void Queue::flush() {
  if (is_host()) return;
  translate_errors(
      device_.get(), [&] { return "starting commands on " + device_->label(); },
      [&] { handles_->commands.flush(); });
}

void Queue::finish() {
  if (!is_host()) wait(position_);
}

void Queue::wait(std::uint64_t position, const cl::Event* event) {
  if (is_host() || is_done(position)) return;
  translate_errors(
      device_.get(), [&] { return "waiting for " + device_->label(); },
      [&] {
        if (event != nullptr) {
          event->wait();
        } else {
          position = position_;
          handles_->commands.finish();
        }
      });
  ++count_.waits;
  done_ = std::max(done_, position);
}

void Queue::wait_for(Queue& other) {
  if (&other == this || other.is_done(other.position())) return;
  translate_errors(
      device_.get(), [&] { return "joining two queues of " + device_->label(); },
      [&] {
        cl::Event event;
        other.handles_->commands.enqueueMarkerWithWaitList(nullptr, &event);
        other.handles_->commands.flush();
        const std::vector<cl::Event> events = {event};
        handles_->commands.enqueueBarrierWithWaitList(&events);
      });
}

const cl::CommandQueue& Queue::commands() const { return handles_->commands; }

void Queue::take_warnings(std::vector<std::string>& all) {
  if (!pool_ || pool_->shortage().empty() || std::exchange(told_shortage_, true)) return;
  all.push_back(pool_->shortage());
}

void Queue::run(int count, const std::function<void(int)>& part) {
  using Clock = std::chrono::steady_clock;
  const auto caller = std::this_thread::get_id();
  std::atomic<std::int64_t> others = 0;
  pool_->run(
      count,
      [&](int i) {
        if (std::this_thread::get_id() == caller) return part(i);
        const auto start = Clock::now();
        part(i);
        others += std::chrono::nanoseconds(Clock::now() - start).count();
      },
      stop_);
  // A nested run() is done by the calling thread, and other threads may be here too.
  if (others > 0) count_.thread_ns += static_cast<std::uint64_t>(others.load());
}

namespace {

// One for all devices, because PoCL has one cache for all of them.
struct LaunchLock {
  std::mutex mutex;
  Queue* latest = nullptr;  // the queue with the latest kernel
};

LaunchLock& launch_lock() {
  static LaunchLock lock;
  return lock;
}

bool needs_lock(const Queue& queue) { return !queue.is_host() && queue.device().info().is_pocl(); }

// Errors are reported to those who wait for results of the queue.
void finish_quietly(const Queue& queue) noexcept {
  try {
    queue.commands().finish();
  } catch (...) {
  }
}

}  // namespace

std::unique_lock<std::mutex> lock_for_launch(Queue& queue) {
  if (!needs_lock(queue)) return {};
  std::unique_lock lock(launch_lock().mutex);
  Queue*& latest = launch_lock().latest;
  if (latest != nullptr && latest != &queue) finish_quietly(*latest);
  latest = &queue;
  return lock;
}

void forget_queue(Queue& queue) noexcept {
  if (!needs_lock(queue)) return;
  const std::lock_guard lock(launch_lock().mutex);
  if (launch_lock().latest != &queue) return;
  finish_quietly(queue);
  launch_lock().latest = nullptr;
}

}  // namespace cltrack
