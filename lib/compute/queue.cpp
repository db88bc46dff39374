// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/queue.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compute/cl.h"
#include "compute/recording.h"
#include "compute/submitter.h"
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
  // One of both.
  cl::CommandQueue commands;
  Submitter* submitter = nullptr;
  Submitter::ClientRef client;

  std::map<std::string, LaunchedKernel*, std::less<>> kernels;
  std::deque<LaunchedKernel> own_kernels;
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
      [&] {
        const auto submitters = device_->submitters();
        if (submitters.empty()) {
          return cl::CommandQueue(device_->context(), device_->cl_device(), 0);
        }
        recording_ = std::make_unique<Recording>();
        const auto queues = [](const auto& submitter) { return submitter->queues(); };
        handles_->submitter = submitters.front()->has_few()
                                  ? submitters.front().get()
                                  : std::ranges::min_element(submitters, {}, queues)->get();
        handles_->client = handles_->submitter->join();
        return cl::CommandQueue();
      });
}

Queue::~Queue() {
  if (handles_ == nullptr) return;
  if (recording_ != nullptr) {
    handles_->submitter->leave();
  } else {
    forget_queue(*device_, handles_->commands);
  }
}

LaunchedKernel& Queue::kernel(std::string_view program, std::string_view kernel,
                              std::string_view options) {
  std::string& key = handles_->key;
  key.assign(program).append("\n").append(kernel).append("\n").append(options);
  const auto known = handles_->kernels.find(key);
  if (known != handles_->kernels.end()) return *known->second;
  LaunchedKernel* made = nullptr;
  if (handles_->submitter != nullptr) {
    made = &handles_->submitter->kernel(program, kernel, options);
  } else {
    made = &handles_->own_kernels.emplace_back(make_launched(*device_, program, kernel, options));
  }
  handles_->kernels.emplace(key, made);
  return *made;
}

void Queue::hand_over() {
  handles_->submitter->hand_over(handles_->client, *recording_, position_);
  recording_->set_spread(handles_->submitter->has_few());
}

void Queue::flush() {
  if (is_host()) return;
  if (recording_ != nullptr) {
    if (!handles_->submitter->is_idle()) return;  // the more go together then
    hand_over();
    return handles_->submitter->submit(handles_->client);
  }
  translate_errors(
      device_.get(), [&] { return "starting commands on " + device_->label(); },
      [&] { handles_->commands.flush(); });
}

void Queue::finish() {
  if (!is_host()) wait(position_);
}

void Queue::wait(std::uint64_t position, const cl::Event* event) {
  if (is_host() || is_done(position)) return;
  if (recording_ != nullptr) {
    hand_over();
    ++count_.waits;
    done_ = handles_->submitter->wait(handles_->client, position);
    return;
  }
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
  if (recording_ != nullptr) {
    if (handles_->submitter == other.handles_->submitter) {
      other.commands();  // they come first in the submitter's one order then
    } else {
      other.finish();
    }
    return;
  }
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

const cl::CommandQueue& Queue::commands() {
  if (recording_ == nullptr) return handles_->commands;
  hand_over();
  handles_->submitter->submit(handles_->client);
  return handles_->submitter->commands();
}

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
  const cl::CommandQueue* latest = nullptr;  // the queue with the latest kernel
};

LaunchLock& launch_lock() {
  static LaunchLock lock;
  return lock;
}

}  // namespace

std::unique_lock<std::mutex> lock_for_launch(const Device& device,
                                             const cl::CommandQueue& commands) {
  if (!device.info().is_pocl()) return {};
  std::unique_lock lock(launch_lock().mutex);
  const cl::CommandQueue*& latest = launch_lock().latest;
  if (latest != nullptr && latest != &commands) finish_quietly(*latest);
  latest = &commands;
  return lock;
}

void forget_queue(const Device& device, const cl::CommandQueue& commands) noexcept {
  if (!device.info().is_pocl()) return;
  const std::lock_guard lock(launch_lock().mutex);
  if (launch_lock().latest != &commands) return;
  finish_quietly(commands);
  launch_lock().latest = nullptr;
}

}  // namespace cltrack
