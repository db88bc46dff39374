// SPDX-License-Identifier: LGPL-2.1-or-later
// Bytes that know where they are valid: in the host's memory, in buffers of devices, or in several
// of these. They move when somebody asks for them where they are not, and only then. Array<T> is
// this with a type.
//
// On a zero-copy device the buffer is the host's memory itself (CL_MEM_USE_HOST_PTR): nothing is
// copied in either direction. On others host memory is not even made until the host asks. If that
// is for what has come down from one, it is pinned (pinned_memory.h); what goes up from ordinary
// memory is copied into pinned memory before, unless it is small.
//
// Threading: one thread at a time, the one that uses the queues given, also to read: that may move
// the contents. Threads that work on them at the same time share what host_read() has returned.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "compute/cl_fwd.h"
#include "compute/queue.h"
#include "compute/staging_buffer.h"

namespace cltrack {

struct ByteRange;

class Memory {
 public:
  Memory();
  ~Memory();  // waits for commands that still use host memory
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;

  std::size_t size() const { return size_; }

  // Within what was once allocated, memory stays, and so do contents up to the smallest size
  // meanwhile; beyond it, contents are lost. What grows step by step gets more than it asks for,
  // because drivers may wait for all that is queued before they let a buffer go.
  void resize(std::size_t bytes);

  // Takes `data` as the contents without copying it; device and host may only read it. It must stay
  // valid and unchanged until release(), the next resize() or borrow(), or destruction.
  void borrow(const void* data, std::size_t bytes);

  // Lets go of borrowed memory, after waiting for commands that still read it. Contents are lost.
  // Has let go even if it throws, which it does if a device has failed meanwhile.
  void release();

  // The host's view. Both wait for what is still writing or, for a write, reading here.
  const void* host_read() const;
  void* host_write();   // contents are unspecified, all devices' copies are void
  void* host_update();  // contents are kept, all devices' copies are void
  // Contents are kept, and so are devices' copies but for these bytes, which is what the next
  // device_read() brings them. Throws Error{invalid_argument} if there are not so many.
  void* host_update(std::size_t first, std::size_t bytes);

  // Starts bringing the contents to the host, on the queue that wrote them: after that queue has
  // been waited for, host_read() returns at once. So several arrays cost one wait.
  void fetch() const;

  // The buffer for the next command of `queue`. No waiting, unless another device has the contents.
  const cl::Buffer& device_read(Queue& queue) const;
  const cl::Buffer& device_write(Queue& queue);   // contents are unspecified, other copies are void
  const cl::Buffer& device_update(Queue& queue);  // contents are kept, other copies are void

  // Gets what is valid on the host ready for an upload by `queue`, as the next device_read() would,
  // but by several threads.
  void stage(Queue& queue, const StagingBuffer::RunParts& run) const;

  // The latest command of `queue` uses the buffer; launch() says so for its arguments.
  void used(Queue& queue) const;

 private:
  struct Copy;
  struct Transfer;

  void swap(Memory& other) noexcept;
  void reset();
  void settle() const;
  std::exception_ptr settle_all() const noexcept;
  void await_download() const;
  void await_transfers() const;
  void await_others(const Queue* queue) const;
  void still_at_work(Transfer transfer) const;
  void await_zero_copy_users(const Queue* except) const;
  const void* host_pointer() const;
  void prefer_pinned(Queue& queue) const;
  Copy& copy_for(Queue& queue) const;
  void make_valid(Copy& copy, Queue& queue) const;
  void upload(Copy& copy, Queue& queue, const void* source,
              std::span<const ByteRange> ranges) const;
  void claim(Copy& copy, Queue& queue);
  void reject_if_borrowed() const;

  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  const void* borrowed_ = nullptr;
  // Where the contents are is no part of what they are: reading moves them.
  mutable std::shared_ptr<std::byte> host_;  // null until needed
  mutable StagingBuffer staging_;
  mutable bool host_valid_ = false;
  mutable std::vector<Copy> copies_;  // one per device
  mutable std::unique_ptr<Transfer> download_;
  mutable std::vector<Transfer>
      transfers_;  // others that still read or write host memory or staging_
};

}  // namespace cltrack
