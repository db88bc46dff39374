// SPDX-License-Identifier: LGPL-2.1-or-later
// A pinned copy of contents that lie in ordinary memory, from which they are uploaded. A driver
// would make such a copy too, but only after all queued commands, and with one thread. The copy
// belongs to the first device that asks; for other devices it may be ordinary memory.
//
// Threading: one thread at a time, the one that uses the queues given.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace cltrack {

class Queue;

// Pinned memory of the queue's device, in whole pages, so that zero-copy devices can use it too.
// Null if the driver has none.
std::shared_ptr<std::byte> pinned_bytes(Queue& queue, std::size_t bytes);

class StagingBuffer {
 public:
  // Calls part(0) ... part(count - 1), in any order or at the same time.
  using RunParts = std::function<void(int count, const std::function<void(int)>& part)>;

  // Where to upload `size` bytes at `contents` from: the copy, made if there is none, or `contents`
  // itself. `capacity`: size of the copy.
  const void* source_of(const void* contents, std::size_t size, std::size_t capacity, Queue& queue,
                        const RunParts& run = {});

  // To be called when the contents or their size change. Uploads from the copy must be done before
  // source_of() overwrites it.
  void forget() { holds_ = false; }
  // The same when the capacity changes.
  void clear();

 private:
  std::shared_ptr<std::byte> copy_;  // null until needed
  bool holds_ = false;               // copy_ holds the contents
  bool possible_ = true;             // the driver has pinned memory
};

}  // namespace cltrack
