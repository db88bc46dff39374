// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory of one array on host and devices, and the pinned copy that uploads come from.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "compute/cl_fwd.h"
#include "compute/queue.h"

namespace cltrack {

class LentMemory;
class Queue;
struct ByteRange;
struct DeviceBuffer;

// Pinned memory of the device, in whole pages, so that zero-copy devices can use it too. Null if
// the driver has none.
std::shared_ptr<std::byte> pinned_bytes(std::shared_ptr<Device> device, std::size_t bytes);

// A pinned copy of contents that lie in ordinary memory, from which they are uploaded. A driver
// would make such a copy too, but only after all queued commands, and with one thread. The copy
// belongs to the first device that asks; for other devices it may be ordinary memory.
//
// Threading: one thread at a time, the one that uses the queues given.
class StagingBuffer {
 public:
  // Calls part(0) ... part(count - 1), in any order or at the same time.
  using RunParts = std::function<void(int count, const std::function<void(int)>& part)>;

  // Where to upload `size` bytes at `contents` from: the copy, made if there is none, or `contents`
  // itself. `capacity`: size of the copy.
  const void* source_of(const void* contents, std::size_t size, std::size_t capacity, Queue& queue,
                        const RunParts& run = {});

  // Gives the copy away if it is the first one, to whoever knows when the upload from it is done:
  // most arrays are uploaded as a whole once, and then never again. Later ones are kept.
  std::shared_ptr<std::byte> give_first();

  // To be called when the contents or their size change. Uploads from the copy must be done before
  // source_of() overwrites it.
  void forget() { holds_ = false; }
  // The same when the capacity changes.
  void clear();

 private:
  std::shared_ptr<std::byte> copy_;  // null until needed
  bool holds_ = false;               // copy_ holds the contents
  bool possible_ = true;             // the driver has pinned memory
  bool is_first_ = true;             // no copy has been given away
};

// Bytes with copies in the host's memory and in buffers of devices, of which one or several are
// valid. They are copied only when they are needed where no copy is valid. Array<T> is the typed
// interface.
//
// On a zero-copy device the buffer is the host's memory itself (CL_MEM_USE_HOST_PTR): nothing is
// copied. With other devices, host memory is allocated when the host first needs it. Downloads go
// to pinned memory (pinned_memory.h); uploads from ordinary memory go through pinned memory, unless
// they are small.
//
// Scratch memory is what commands leave for later ones of the same queue and recording, up to
// discard(), and for nobody after them: on a device whose commands are recorded
// (compute/recording.h) it has none of its own. Elsewhere it is as all other memory.
//
// Threading: one thread at a time, the one that uses the queues given, also for reading, which may
// copy. Threads that work at the same time share the pointer from one host_read().
class Memory {
 public:
  enum class Use { kept, scratch };

  explicit Memory(Use use = Use::kept);
  ~Memory();  // waits for commands that still use host memory
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;

  std::size_t size() const { return size_; }

  // Within the allocated capacity, memory is kept, and so are contents up to the smaller size (not
  // those of scratch memory on devices); beyond it, contents are lost. Growing allocates spare
  // capacity, because drivers may wait for all queued commands before they release a buffer.
  void resize(std::size_t bytes);

  // For scratch memory: commands that come do not need devices' copies any more.
  void discard();

  // Uses `data` as read-only contents without copying it. It must stay valid and unchanged until
  // release(), the next resize() or borrow(), or destruction. `lent`: whose address() it is in, if
  // the contents are in a device's memory: the host loads what it reads, and that device copies
  // them within its memory.
  void borrow(const void* data, std::size_t bytes,
              std::shared_ptr<const LentMemory> lent = nullptr);
  const std::shared_ptr<const LentMemory>& lent() const { return lent_; }
  // Null if it is not borrowed.
  const void* borrowed() const { return borrowed_; }
  // Of lent memory: begins to bring bytes to the host that will be needed there, with the commands
  // of `queue`, if that works on the device that lends. When the queue has been waited for,
  // arrived() says so; what is read before that is brought once more.
  void prefetch(Queue& queue, std::size_t first, std::size_t bytes) const;
  void arrived() const;

  // Stops using borrowed memory, after waiting for commands that still read it. Contents are lost.
  // Throws if a device has failed meanwhile; the memory is released all the same.
  void release();

  // Has the contents of `other`, read-only, and its memory on host and devices, as long as one of
  // both needs that: for what threads read at the same time, each with a Memory of its own. `other`
  // has a copy on the host, and no command uses it.
  void share(const Memory& other);

  // The host's copy. They wait for commands that write it and, except host_read(), that read it.
  const void* host_read() const;
  // The same of some bytes: of others, nothing is loaded if they are lent. Of borrowed memory, any
  // threads.
  const void* host_read(std::size_t first, std::size_t bytes) const;
  void* host_write();   // contents are unspecified, all devices' copies become invalid
  void* host_update();  // contents are kept, all devices' copies become invalid
  // Contents are kept. Devices' copies become invalid in these bytes only, and the next
  // device_read() copies only these. Throws Error{invalid_argument} if there are not so many.
  void* host_update(std::size_t first, std::size_t bytes);

  // Starts the download, on the queue that wrote the contents: once that queue is finished,
  // host_read() returns at once. So several arrays need only one wait.
  void fetch() const;
  // Starts a download of these bytes alone to the host memory of `to`, which has nothing else then:
  // to.host_read() returns what they are now, at once when that queue is finished. Waits only if
  // the host has the contents already, or `to` is in use. Throws Error{invalid_argument} if there
  // are not so many.
  void fetch(std::size_t first, std::size_t bytes, Memory& to) const;

  // The buffer for the next command of `queue`. They wait only if another device has the contents.
  const DeviceBuffer& device_read(Queue& queue) const;
  const DeviceBuffer& device_write(Queue& queue);   // contents unspecified, other copies invalid
  const DeviceBuffer& device_update(Queue& queue);  // contents kept, other copies invalid

  // Prepares the upload by the next device_read(queue) with several threads: copies the host's
  // contents to pinned memory.
  void stage(Queue& queue, const StagingBuffer::RunParts& run) const;

  // To be called after a command of `queue` that uses the buffer; launch() does it.
  void used(Queue& queue) const;

 private:
  struct Copy;
  struct Transfer;

  void swap(Memory& other) noexcept;
  void reset();
  void read(Copy& copy, const ByteRange& range, void* to, Transfer& transfer) const;
  void check_range(std::size_t first, std::size_t bytes) const;
  void settle() const;
  std::exception_ptr settle_all() const noexcept;
  void await_download() const;
  void await_transfers() const;
  void await_others(const Queue* queue) const;
  void forget_what_is_done() const;
  void still_at_work(Transfer transfer) const;
  void await_zero_copy_users(const Queue* except) const;
  const void* host_pointer() const;
  void load_lent() const;
  void prefer_pinned(Queue& queue) const;
  DeviceBuffer buffer_for(Queue& queue) const;
  bool is_gone(const Copy& copy, Queue& queue) const;
  [[noreturn]] void reject_gone() const;
  Copy& copy_for(Queue& queue, bool reads) const;
  void make_valid(Copy& copy, Queue& queue) const;
  void copy_lent(Copy& copy, Queue& queue) const;
  // `staged`: what `source` is in, if nobody else has it.
  void upload(Copy& copy, Queue& queue, const void* source, std::span<const ByteRange> ranges,
              std::shared_ptr<std::byte> staged = nullptr) const;
  void claim(Copy& copy, Queue& queue);
  void drop_host() const;
  void reject_if_borrowed() const;

  Use use_ = Use::kept;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  const void* borrowed_ = nullptr;
  std::shared_ptr<const LentMemory> lent_;  // null if `borrowed_` has its contents
  mutable std::vector<std::span<const std::byte>> prefetched_;  // that have not arrived()
  // Mutable, because reading may copy.
  mutable std::shared_ptr<std::byte> host_;  // null until needed
  mutable StagingBuffer staging_;
  mutable bool host_valid_ = false;
  mutable std::vector<Copy> copies_;  // one per device
  mutable std::unique_ptr<Transfer> download_;
  mutable std::vector<Transfer>
      transfers_;  // other commands that may still use host memory or staging_
};

inline constexpr Memory::Use kScratch = Memory::Use::scratch;

}  // namespace cltrack
