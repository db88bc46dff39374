// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/launch_lock.h"

#include "compute/cl.h"

namespace cltrack {
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
