// SPDX-License-Identifier: LGPL-2.1-or-later
// The pinned copy from which contents are uploaded that lie in ordinary memory. The driver would
// make such a copy as well, but only once all that is queued before has been done, and by one
// thread. There is one copy, of the first device that asks: to others it may be ordinary memory.
//
// Threading: one thread at a time, the one that uses the queues given.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace cltrack {

class Queue;

// Pinned memory of the queue's device: whole pages, as other devices want it that use it in place.
// Null if the driver has none.
std::shared_ptr<std::byte> pinned_bytes(Queue& queue, std::size_t bytes);

class Staging {
 public:
  // Calls part(0) ... part(count - 1), in any order or at the same time.
  using RunParts = std::function<void(int count, const std::function<void(int)>& part)>;

  // Where `size` bytes at `contents` are best uploaded from: their copy, which is made if there is
  // none, or where they are. `capacity`: what the copy has room for.
  const void* source_of(const void* contents, std::size_t size, std::size_t capacity, Queue& queue,
                        const RunParts& run = {});

  // The contents are others now, or there are more of them. What is uploaded from the copy must
  // have been waited for before source_of() writes others to it.
  void forget() { holds_ = false; }
  // The same, and their capacity changes.
  void clear();

 private:
  std::shared_ptr<std::byte> copy_;  // null until needed
  bool holds_ = false;               // the contents
  bool possible_ = true;             // the driver has such memory
};

}  // namespace cltrack
