// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/memory.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "compute/cl.h"

namespace cltrack {
namespace {

// What CPU drivers ask of memory that they shall use in place: a page, and whole cache lines.
constexpr std::size_t kAlignment = 4096;
constexpr std::size_t kGranule = 64;

constexpr std::size_t kMostSpare = 1 << 20;       // that a growing buffer gets
constexpr std::size_t kLargestGrowing = 1 << 24;  // others get none: devices limit their size

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t unit = kGranule) {
  return std::max(unit, (bytes + unit - 1) / unit * unit);
}

// A device that has failed uses nothing any more, but hides no other that is still at work: all are
// waited for, and the first failure is kept.
class Waits {
 public:
  template <typename Wait>
  void attempt(const Wait& wait) {
    try {
      wait();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  const std::exception_ptr& failure() const { return failure_; }

 private:
  std::exception_ptr failure_;
};

std::string amount(std::size_t bytes) { return std::to_string(bytes) + " bytes"; }

}  // namespace

struct Memory::Copy {
  std::shared_ptr<Device> device;
  cl::Buffer buffer;
  bool valid = false;
  std::shared_ptr<Queue> user;  // the queue with the latest command that uses the buffer
  std::uint64_t last_use = 0;   // that command
};

struct Memory::Transfer {
  std::shared_ptr<Queue> queue;
  std::uint64_t position = 0;
  cl::Event done;

  void wait() const { queue->wait(position, &done); }
};

Memory::Memory() = default;

Memory::Memory(Memory&& other) noexcept : Memory() { swap(other); }

// What a device that has failed has to say interests nobody any more.
Memory::~Memory() { settle_all(); }

Memory& Memory::operator=(Memory&& other) noexcept {
  swap(other);  // what was here is waited for where `other` ends
  return *this;
}

void Memory::swap(Memory& other) noexcept {
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  std::swap(host_, other.host_);
  std::swap(borrowed_, other.borrowed_);
  std::swap(staging_, other.staging_);
  std::swap(host_valid_, other.host_valid_);
  std::swap(copies_, other.copies_);
  std::swap(download_, other.download_);
  std::swap(transfers_, other.transfers_);
}

void Memory::resize(std::size_t bytes) {
  if (borrowed_ != nullptr || bytes > capacity_) {
    const bool grows = borrowed_ == nullptr && bytes < kLargestGrowing;
    const std::size_t more = grows ? std::min(capacity_, kMostSpare) : 0;
    reset();
    capacity_ = rounded_up(bytes + more);
  }
  if (bytes > size_) staging_.forget();
  size_ = bytes;
}

void Memory::borrow(const void* data, std::size_t bytes) {
  if (bytes == 0) return resize(0);
  settle();
  // Buffers that are not the host's memory can take the new contents as well.
  const bool keep = rounded_up(bytes) <= capacity_;
  std::erase_if(copies_, [&](const Copy& copy) { return !keep || copy.device->is_zero_copy(); });
  for (Copy& copy : copies_) copy.valid = false;
  host_.reset();
  if (keep) {
    staging_.forget();
  } else {
    capacity_ = rounded_up(bytes);
    staging_.clear();
  }
  borrowed_ = data;
  size_ = bytes;
  host_valid_ = true;
}

void Memory::release() {
  const std::exception_ptr failure = settle_all();
  if (borrowed_ != nullptr) {
    std::erase_if(copies_, [](const Copy& copy) { return copy.device->is_zero_copy(); });
    for (Copy& copy : copies_) copy.valid = false;
    borrowed_ = nullptr;
    host_valid_ = false;
  }
  if (failure) std::rethrow_exception(failure);
}

const void* Memory::host_read() const {
  if (!host_valid_) fetch();
  await_download();
  return host_pointer();
}

void* Memory::host_write() {
  reject_if_borrowed();
  settle();
  for (Copy& copy : copies_) copy.valid = false;
  host_pointer();
  host_valid_ = true;
  staging_.forget();
  return host_.get();
}

void* Memory::host_update() {
  host_read();
  return host_write();
}

void Memory::fetch() const {
  if (host_valid_ || size_ == 0) return;
  const auto source =
      std::find_if(copies_.begin(), copies_.end(), [](const Copy& copy) { return copy.valid; });
  if (source == copies_.end()) return;
  Queue& queue = *source->user;
  prefer_pinned(queue);
  void* const target = const_cast<void*>(host_pointer());
  await_others(&queue);
  auto transfer = std::make_unique<Transfer>();
  translate_errors(
      source->device.get(),
      [&] { return "download of " + amount(size_) + " from " + source->device->label(); },
      [&] {
        if (source->device->is_zero_copy()) {
          // Mapping is what makes a driver write back what it might still hold.
          void* const mapped = queue.commands().enqueueMapBuffer(
              source->buffer, CL_FALSE, CL_MAP_READ, 0, size_, nullptr, &transfer->done);
          transfer->position = queue.enqueued();
          queue.commands().enqueueUnmapMemObject(source->buffer, mapped);
          source->last_use = queue.enqueued();
        } else {
          await_zero_copy_users(nullptr);  // what they read is about to be overwritten
          queue.commands().enqueueReadBuffer(source->buffer, CL_FALSE, 0, size_, target, nullptr,
                                             &transfer->done);
          transfer->position = source->last_use = queue.enqueued();
          queue.count().bytes_down += size_;
          ++queue.count().copies;
        }
      });
  transfer->queue = source->user;
  download_ = std::move(transfer);
  host_valid_ = true;
}

const cl::Buffer& Memory::device_read(Queue& queue) const {
  Copy& copy = copy_for(queue);
  make_valid(copy, queue);
  return copy.buffer;
}

const cl::Buffer& Memory::device_write(Queue& queue) {
  reject_if_borrowed();
  Copy& copy = copy_for(queue);
  claim(copy, queue);
  return copy.buffer;
}

const cl::Buffer& Memory::device_update(Queue& queue) {
  reject_if_borrowed();
  Copy& copy = copy_for(queue);
  make_valid(copy, queue);
  claim(copy, queue);
  return copy.buffer;
}

void Memory::used(Queue& queue) const {
  for (Copy& copy : copies_) {
    if (copy.user.get() == &queue) copy.last_use = queue.position();
  }
}

// Forgets contents and memory.
void Memory::reset() {
  settle();
  copies_.clear();
  host_.reset();
  staging_.clear();
  borrowed_ = nullptr;
  host_valid_ = false;
  size_ = capacity_ = 0;
}

// Waits for every command that touches host memory.
void Memory::settle() const {
  if (const std::exception_ptr failure = settle_all()) std::rethrow_exception(failure);
}

// The same; returns the first failure.
std::exception_ptr Memory::settle_all() const noexcept {
  Waits waits;
  waits.attempt([&] { await_download(); });
  waits.attempt([&] { await_transfers(); });
  waits.attempt([&] { await_zero_copy_users(nullptr); });
  return waits.failure();
}

void Memory::await_download() const {
  if (download_ == nullptr) return;
  // Forgotten even if waiting throws: there is nothing to wait for a second time.
  const std::unique_ptr<Transfer> download = std::move(download_);
  try {
    download->wait();
  } catch (...) {
    host_valid_ = false;
    throw;
  }
}

void Memory::await_transfers() const { await_others(nullptr); }

// What `queue` has queued comes before whatever else it is given.
void Memory::await_others(const Queue* queue) const {
  Waits waits;
  for (Transfer& transfer : std::exchange(transfers_, {})) {
    if (transfer.queue.get() == queue) {
      transfers_.push_back(std::move(transfer));
    } else {
      waits.attempt([&] { transfer.wait(); });
    }
  }
  waits.rethrow();
}

void Memory::await_zero_copy_users(const Queue* except) const {
  Waits waits;
  for (const Copy& copy : copies_) {
    if (copy.device->is_zero_copy() && copy.user != nullptr && copy.user.get() != except) {
      waits.attempt([&] { copy.user->wait(copy.last_use); });
    }
  }
  waits.rethrow();
}

// Where the host's copy is, valid or not.
const void* Memory::host_pointer() const {
  if (borrowed_ != nullptr) return borrowed_;
  if (host_ == nullptr) {
    // Never nothing: a buffer of no bytes is an error.
    const std::size_t bytes = rounded_up(capacity_, kAlignment);
    void* const made = std::aligned_alloc(kAlignment, bytes);
    if (made == nullptr) throw std::bad_alloc();
    host_.reset(static_cast<std::byte*>(made), std::free);
  }
  return host_.get();
}

// If there is no host memory yet, makes some that the queue's device can write fast.
void Memory::prefer_pinned(Queue& queue) const {
  if (borrowed_ != nullptr || host_ != nullptr || queue.device().is_zero_copy()) return;
  host_ = pinned_bytes(queue, capacity_);
}

void Memory::stage(Queue& queue, const Staging::RunParts& run) const {
  if (size_ == 0 || !host_valid_ || queue.is_host() || queue.device().is_zero_copy()) return;
  const auto is_there = [&](const Copy& copy) {
    return copy.valid && copy.device.get() == &queue.device();
  };
  if (std::ranges::any_of(copies_, is_there)) return;
  await_download();
  staging_.source_of(host_pointer(), size_, capacity_, queue, run);
}

// The copy of the queue's device, which is made if there is none, and ordered after whatever other
// queues do with it.
Memory::Copy& Memory::copy_for(Queue& queue) const {
  auto copy = std::find_if(copies_.begin(), copies_.end(),
                           [&](const Copy& c) { return c.device.get() == &queue.device(); });
  if (copy == copies_.end()) {
    const Device& device = queue.device();
    const DeviceInfo& info = device.info();
    const std::size_t bytes = rounded_up(capacity_);
    if (bytes > info.largest_allocation) {
      throw Error(ErrorCode::out_of_memory,
                  amount(bytes) + " do not fit into one buffer of " + device.label() +
                      ": at most " + amount(info.largest_allocation) + " are allowed" + kWhatElse);
    }
    // A driver may look at host memory as soon as it is given it.
    if (device.is_zero_copy()) await_download();
    Copy made;
    made.device = queue.shared_device();
    made.buffer = translate_errors(
        &queue.device(), [&] { return "a buffer of " + amount(bytes) + " on " + device.label(); },
        [&] {
          if (!device.is_zero_copy()) return cl::Buffer(device.context(), CL_MEM_READ_WRITE, bytes);
          const auto access = borrowed_ != nullptr ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
          return cl::Buffer(device.context(), access | CL_MEM_USE_HOST_PTR,
                            borrowed_ != nullptr ? size_ : bytes,
                            const_cast<void*>(host_pointer()));
        });
    made.valid = device.is_zero_copy() && host_valid_;
    copies_.push_back(std::move(made));
    copy = copies_.end() - 1;
  }
  if (copy->user.get() != &queue) {
    if (copy->user != nullptr) queue.wait_for(*copy->user);
    copy->user = queue.shared_from_this();
  }
  copy->last_use = queue.position() + 1;
  return *copy;
}

// Brings the contents, if there are any, to `copy`.
void Memory::make_valid(Copy& copy, Queue& queue) const {
  if (copy.valid || size_ == 0) return;
  if (!host_valid_) fetch();
  if (!host_valid_) return;
  await_download();
  translate_errors(
      copy.device.get(),
      [&] { return "upload of " + amount(size_) + " to " + copy.device->label(); },
      [&] {
        if (copy.device->is_zero_copy()) {
          // Tells the driver that the host has written; nothing moves.
          void* const mapped = queue.commands().enqueueMapBuffer(
              copy.buffer, CL_FALSE, CL_MAP_WRITE_INVALIDATE_REGION, 0, size_);
          queue.enqueued();
          queue.commands().enqueueUnmapMemObject(copy.buffer, mapped);
          queue.enqueued();
          return;
        }
        const void* const source = staging_.source_of(host_pointer(), size_, capacity_, queue);
        Transfer upload;
        queue.commands().enqueueWriteBuffer(copy.buffer, CL_FALSE, 0, size_, source, nullptr,
                                            &upload.done);
        upload.queue = queue.shared_from_this();
        upload.position = queue.enqueued();
        still_at_work(std::move(upload));
        queue.count().bytes_up += size_;
        ++queue.count().copies;
      });
  copy.valid = true;
  copy.last_use = queue.position() + 1;
}

void Memory::still_at_work(Transfer transfer) const {
  std::erase_if(transfers_, [](const Transfer& t) { return t.queue->is_done(t.position); });
  transfers_.push_back(std::move(transfer));
}

// Makes `copy` the only valid one, for a command of `queue` that writes it.
void Memory::claim(Copy& copy, Queue& queue) {
  if (download_ != nullptr && download_->queue.get() != &queue) await_download();
  if (copy.device->is_zero_copy()) {
    await_transfers();
    await_zero_copy_users(&queue);
  }
  // Nobody will read what is on its way, but it is still being written.
  if (download_ != nullptr) still_at_work(std::move(*std::exchange(download_, nullptr)));
  for (Copy& other : copies_) other.valid = false;
  copy.valid = true;
  host_valid_ = false;
  staging_.forget();
}

void Memory::reject_if_borrowed() const {
  if (borrowed_ != nullptr) {
    throw Error(ErrorCode::failed, "borrowed memory is read-only: resize the array first");
  }
}

}  // namespace cltrack
