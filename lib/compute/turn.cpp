// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/turn.h"

#include "compute/cl.h"

namespace cltrack {
namespace {

// All of the driver's devices share what it keeps.
struct Turns {
  std::mutex mutex;
  Queue* latest = nullptr;  // that put a kernel into its queue
};

Turns& turns() {
  static Turns all;
  return all;
}

bool needs_turns(const Queue& queue) { return !queue.is_host() && queue.device().info().is_pocl(); }

// A queue that fails runs nothing any more, and says so to whoever waits for its results.
void finish_quietly(const Queue& queue) noexcept {
  try {
    queue.commands().finish();
  } catch (...) {
  }
}

}  // namespace

std::unique_lock<std::mutex> take_turn(Queue& queue) {
  if (!needs_turns(queue)) return {};
  std::unique_lock lock(turns().mutex);
  Queue*& latest = turns().latest;
  if (latest != nullptr && latest != &queue) finish_quietly(*latest);
  latest = &queue;
  return lock;
}

void leave_turns(Queue& queue) noexcept {
  if (!needs_turns(queue)) return;
  const std::lock_guard lock(turns().mutex);
  if (turns().latest != &queue) return;
  finish_quietly(queue);
  turns().latest = nullptr;
}

}  // namespace cltrack
