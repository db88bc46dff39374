// SPDX-License-Identifier: LGPL-2.1-or-later
// Lets queues of a driver that cannot stand several at a time take turns.
//
// PoCL (3.1 to 5.0 at least) keeps compiled kernels by the size of the grid that they were first
// run with, and counts their users. If two queues run the same kernel at the same time, the second
// one with a larger grid, the count goes wrong, and an assertion ends the process
// (pocl_release_dlhandle_cache). Trackers of several streams, and the trial runs before the first
// frame, are just that. Other drivers are left alone.
//
// Threading: any.
#pragma once

#include <mutex>

#include "compute/queue.h"

namespace cltrack {

// To be held while a kernel is put into the queue: what other queues of the driver have begun is
// done by then. Empty where no turns are needed.
std::unique_lock<std::mutex> take_turn(Queue& queue);

// The queue is about to be destroyed.
void leave_turns(Queue& queue) noexcept;

}  // namespace cltrack
