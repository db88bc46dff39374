// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "compute/lent_memory.h"
#include "compute/memory_copies.h"
#include "compute/pinned_memory.h"
#include "compute/queue.h"
#include "compute/recording.h"

namespace cltrack {
namespace {

// CPU drivers use memory in place if it is aligned to a page.
constexpr std::size_t kAlignment = 4096;

constexpr std::size_t kPart = 1 << 18;  // copying less takes less time than waking a thread

}  // namespace

std::shared_ptr<std::byte> pinned_bytes(std::shared_ptr<Device> device, std::size_t bytes) {
  const std::size_t whole = rounded_up(bytes, kAlignment);
  std::size_t room = whole + kAlignment;
  std::shared_ptr<PinnedMemory> pinned = PinnedMemory::make(std::move(device), room);
  if (pinned == nullptr) return nullptr;
  void* data = pinned->data();
  std::align(kAlignment, whole, data, room);
  return {std::move(pinned), static_cast<std::byte*>(data)};
}

const void* StagingBuffer::source_of(const void* contents, std::size_t size, std::size_t capacity,
                                     Queue& queue, const RunParts& run) {
  if (size <= Recording::kSmallCopy || PinnedMemory::holds(contents)) return contents;
  if (copy_ == nullptr && possible_) {
    copy_ = pinned_bytes(queue.shared_device(), capacity);
    possible_ = copy_ != nullptr;
  }
  if (copy_ == nullptr) return contents;
  if (holds_) return copy_.get();
  const auto* const from = static_cast<const std::byte*>(contents);
  const auto copy_part = [&](int index) {
    const std::size_t begin = static_cast<std::size_t>(index) * kPart;
    std::memcpy(copy_.get() + begin, from + begin, std::min(kPart, size - begin));
  };
  const int parts = static_cast<int>((size + kPart - 1) / kPart);
  if (run && parts > 1) {
    run(parts, copy_part);
  } else {
    std::memcpy(copy_.get(), from, size);
  }
  holds_ = true;
  return copy_.get();
}

std::shared_ptr<std::byte> StagingBuffer::give_first() {
  if (copy_ == nullptr || !std::exchange(is_first_, false)) return nullptr;
  holds_ = false;
  return std::exchange(copy_, nullptr);
}

void StagingBuffer::clear() {
  copy_.reset();
  holds_ = false;
  possible_ = true;
}

using namespace memory_parts;

namespace {

constexpr std::size_t kMostSpare = 1 << 20;       // spare bytes of a growing buffer
constexpr std::size_t kLargestGrowing = 1 << 24;  // no spare above: devices limit buffer sizes

}  // namespace

Memory::Memory(Use use) : use_(use) {}

Memory::Memory(Memory&& other) noexcept : Memory() { swap(other); }

// Errors of devices are ignored, because the contents are not needed any more.
Memory::~Memory() { settle_all(); }

Memory& Memory::operator=(Memory&& other) noexcept {
  swap(other);  // the destructor of `other` waits for the old contents
  return *this;
}

void Memory::swap(Memory& other) noexcept {
  std::swap(use_, other.use_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  std::swap(host_, other.host_);
  std::swap(borrowed_, other.borrowed_);
  std::swap(lent_, other.lent_);
  std::swap(prefetched_, other.prefetched_);
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
    capacity_ = rounded_up(bytes + more, kGranule);
  }
  if (use_ == Use::scratch) {
    for (Copy& copy : copies_) copy.invalidate();
  }
  if (bytes > size_) staging_.forget();
  for (Copy& copy : copies_) copy.stale.clip(bytes);
  size_ = bytes;
}

void Memory::borrow(const void* data, std::size_t bytes, std::shared_ptr<const LentMemory> lent) {
  if (bytes == 0) return resize(0);
  settle();
  // Buffers that are not the host's memory are reused.
  const bool keep = rounded_up(bytes, kGranule) <= capacity_;
  std::erase_if(copies_, [&](const Copy& copy) { return !keep || copy.device->is_zero_copy(); });
  for (Copy& copy : copies_) copy.invalidate();
  host_.reset();
  if (keep) {
    staging_.forget();
  } else {
    capacity_ = rounded_up(bytes, kGranule);
    staging_.clear();
  }
  borrowed_ = data;
  lent_ = std::move(lent);
  prefetched_.clear();
  size_ = bytes;
  host_valid_ = true;
}

void Memory::release() {
  const std::exception_ptr failure = settle_all();
  if (borrowed_ != nullptr) {
    std::erase_if(copies_, [](const Copy& copy) { return copy.device->is_zero_copy(); });
    for (Copy& copy : copies_) copy.invalidate();
    borrowed_ = nullptr;
    lent_ = nullptr;
    host_valid_ = false;
  }
  if (failure) std::rethrow_exception(failure);
}

void Memory::share(const Memory& other) {
  reset();
  host_ = other.host_;
  borrowed_ = other.host_pointer();
  size_ = other.size_;
  capacity_ = other.capacity_;
  host_valid_ = true;
  for (const Copy& copy : other.copies_) {
    copies_.push_back({copy.device, copy.buffer, copy.valid, copy.stale, nullptr, 0});
  }
}

const void* Memory::host_read() const {
  if (!host_valid_) fetch();
  await_download();
  load_lent();
  return host_pointer();
}

const void* Memory::host_read(std::size_t first, std::size_t bytes) const {
  check_range(first, bytes);
  if (lent_ == nullptr) return static_cast<const std::byte*>(host_read()) + first;
  const auto* const data = static_cast<const std::byte*>(borrowed_) + first;
  lent_->load(data, bytes);
  return data;
}

void Memory::load_lent() const {
  if (lent_ != nullptr) lent_->load(borrowed_, size_);
}

void* Memory::host_write() {
  reject_if_borrowed();
  settle();
  for (Copy& copy : copies_) copy.invalidate();
  host_pointer();
  host_valid_ = true;
  staging_.forget();
  return host_.get();
}

void* Memory::host_update() {
  host_read();
  return host_write();
}

void* Memory::host_update(std::size_t first, std::size_t bytes) {
  check_range(first, bytes);
  if (bytes == size_) return host_update();
  reject_if_borrowed();
  host_read();
  settle();
  for (Copy& copy : copies_) {
    if (copy.valid) copy.stale.add({first, first + bytes});
  }
  host_valid_ = true;
  staging_.forget();
  return const_cast<std::byte*>(static_cast<const std::byte*>(host_pointer())) + first;
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
          // Mapping makes the driver write back its caches.
          void* const mapped = queue.commands().enqueueMapBuffer(
              source->buffer.whole, CL_FALSE, CL_MAP_READ, 0, size_, nullptr, &transfer->done);
          transfer->position = queue.enqueued();
          queue.commands().enqueueUnmapMemObject(source->buffer.whole, mapped);
          source->last_use = queue.enqueued();
        } else {
          await_zero_copy_users(nullptr);  // they may still read what is overwritten next
          read(*source, {0, size_}, target, *transfer);
        }
      });
  transfer->queue = source->user;
  download_ = std::move(transfer);
  host_valid_ = true;
}

void Memory::fetch(std::size_t first, std::size_t bytes, Memory& to) const {
  check_range(first, bytes);
  to.release();
  to.resize(bytes);
  if (bytes == 0) return;
  const auto source = std::ranges::find_if(copies_, &Copy::valid);
  if (host_valid_ || source == copies_.end()) {
    const void* const from = host_read(first, bytes);
    std::memcpy(to.host_write(), from, bytes);
    return;
  }
  for (Copy& copy : to.copies_) copy.invalidate();
  to.host_valid_ = false;
  to.staging_.forget();
  to.prefer_pinned(*source->user);
  void* const target = const_cast<void*>(to.host_pointer());
  auto transfer = std::make_unique<Transfer>();
  translate_errors(
      source->device.get(),
      [&] { return "download of " + amount(bytes) + " from " + source->device->label(); },
      // Also from a zero-copy device: what is in its memory will change.
      [&] {
        read(*source, {first, first + bytes}, target, *transfer);
      });
  transfer->queue = source->user;
  to.download_ = std::move(transfer);
  to.host_valid_ = true;
}

// Queues the download of `range`.
void Memory::read(Copy& copy, const ByteRange& range, void* to, Transfer& transfer) const {
  Queue& queue = *copy.user;
  if (is_gone(copy, queue)) reject_gone();
  if (Recording* const recording = queue.recording()) {
    recording->add_download({copy.buffer.piece, range.begin, range.size(), nullptr, to, {}});
  } else {
    queue.commands().enqueueReadBuffer(copy.buffer.whole, CL_FALSE, range.begin, range.size(), to,
                                       nullptr, &transfer.done);
  }
  transfer.position = copy.last_use = queue.enqueued();
  queue.count().bytes_down += range.size();
  ++queue.count().copies;
}

void Memory::check_range(std::size_t first, std::size_t bytes) const {
  if (first <= size_ && bytes <= size_ - first) return;
  throw Error(ErrorCode::invalid_argument, amount(bytes) + " from byte " + std::to_string(first) +
                                               " on, where there are " + amount(size_));
}

void Memory::reset() {
  settle();
  copies_.clear();
  host_.reset();
  staging_.clear();
  borrowed_ = nullptr;
  lent_ = nullptr;
  host_valid_ = false;
  size_ = capacity_ = 0;
}

// The host's copy, valid or not; of lent memory, loaded or not.
const void* Memory::host_pointer() const {
  if (borrowed_ != nullptr) return borrowed_;
  if (host_ == nullptr) {
    // At least one granule: OpenCL has no empty buffers.
    const std::size_t bytes = rounded_up(capacity_, kAlignment);
    void* const made = std::aligned_alloc(kAlignment, bytes);
    if (made == nullptr) throw std::bad_alloc();
    host_.reset(static_cast<std::byte*>(made), std::free);
  }
  return host_.get();
}

// Allocates pinned memory of the queue's device, if there is no host memory yet.
void Memory::prefer_pinned(Queue& queue) const {
  if (borrowed_ != nullptr || host_ != nullptr || queue.device().is_zero_copy()) return;
  // Small arrays come through other memory.
  if (capacity_ > Recording::kSmallCopy) host_ = pinned_bytes(queue.shared_device(), capacity_);
}

void Memory::reject_if_borrowed() const {
  if (borrowed_ != nullptr) {
    throw Error(ErrorCode::failed, "borrowed memory is read-only: resize the array first");
  }
}

}  // namespace cltrack
