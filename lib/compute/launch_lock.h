// SPDX-License-Identifier: LGPL-2.1-or-later
// A lock for launches on PoCL, which cannot run the same kernel in two queues at the same time.
//
// PoCL (3.1 to 5.0 at least) caches compiled kernels by the size of the first grid, and counts
// their users. If two queues run the same kernel at the same time, the second one with a larger
// grid, the count goes wrong and an assertion (pocl_release_dlhandle_cache) ends the process. This
// happens with trackers of several streams, and with the warm-up before the first frame. Queues of
// other drivers are not locked.
//
// Threading: any.
#pragma once

#include <mutex>

#include "compute/queue.h"

namespace cltrack {

// To be held while a kernel is queued. Waits until the commands of the driver's other queues are
// done. Empty for other drivers than PoCL.
std::unique_lock<std::mutex> lock_for_launch(Queue& queue);

// To be called before the queue is destroyed.
void forget_queue(Queue& queue) noexcept;

}  // namespace cltrack
