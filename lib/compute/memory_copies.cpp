// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/memory_copies.h"

#include <algorithm>
#include <new>
#include <utility>

#include "cltrack/error.h"
#include "compute/lent_memory.h"
#include "compute/pinned_memory.h"

namespace cltrack {

void ByteRanges::add(ByteRange range) {
  if (range.begin >= range.end) return;
  const auto first = std::ranges::find_if(
      ranges_, [&](const ByteRange& other) { return other.end >= range.begin; });
  const auto last = std::find_if(first, ranges_.end(),
                                 [&](const ByteRange& other) { return other.begin > range.end; });
  if (first != last) {
    range.begin = std::min(range.begin, first->begin);
    range.end = std::max(range.end, (last - 1)->end);
  }
  ranges_.insert(ranges_.erase(first, last), range);
  if (ranges_.size() <= kMost) return;
  const auto gap = [&](std::size_t i) { return ranges_[i + 1].begin - ranges_[i].end; };
  std::size_t smallest = 0;
  for (std::size_t i = 1; i + 1 < ranges_.size(); ++i) {
    if (gap(i) < gap(smallest)) smallest = i;
  }
  ranges_[smallest].end = ranges_[smallest + 1].end;
  ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(smallest) + 1);
}

void ByteRanges::clip(std::size_t size) {
  std::erase_if(ranges_, [&](const ByteRange& range) { return range.begin >= size; });
  if (!ranges_.empty()) ranges_.back().end = std::min(ranges_.back().end, size);
}

// Copies of a Memory on devices, and waiting for commands that use them.

using namespace memory_parts;

const DeviceBuffer& Memory::device_read(Queue& queue) const {
  Copy& copy = copy_for(queue, true);
  make_valid(copy, queue);
  return copy.buffer;
}

const DeviceBuffer& Memory::device_write(Queue& queue) {
  reject_if_borrowed();
  Copy& copy = copy_for(queue, false);
  claim(copy, queue);
  return copy.buffer;
}

const DeviceBuffer& Memory::device_update(Queue& queue) {
  reject_if_borrowed();
  Copy& copy = copy_for(queue, true);
  make_valid(copy, queue);
  claim(copy, queue);
  return copy.buffer;
}

void Memory::used(Queue& queue) const {
  for (Copy& copy : copies_) {
    if (copy.user.get() == &queue) copy.last_use = queue.position();
  }
}

void Memory::stage(Queue& queue, const StagingBuffer::RunParts& run) const {
  if (size_ == 0 || !host_valid_ || queue.is_host() || queue.device().is_zero_copy()) return;
  if (lent_ != nullptr) return;  // what is loaded of it is in pinned memory
  const auto is_there = [&](const Copy& copy) {
    return copy.valid && copy.device.get() == &queue.device();
  };
  if (std::ranges::any_of(copies_, is_there)) return;
  await_download();
  staging_.source_of(host_pointer(), size_, capacity_, queue, run);
}

DeviceBuffer Memory::buffer_for(Queue& queue) const {
  Device& device = queue.device();
  Recording* const recording = queue.recording();
  if (use_ == Use::scratch && recording != nullptr) return {{}, 0, recording->scratch(size_)};
  const std::size_t bytes = rounded_up(capacity_, kGranule);
  return translate_errors(
      &device, [&] { return "a buffer of " + amount(bytes) + " on " + device.label(); },
      [&] {
        if (recording != nullptr) {
          PieceRef piece = device.arena().allocate(bytes);
          const std::size_t offset = piece->offset;
          return DeviceBuffer{{}, offset, std::move(piece)};
        }
        const auto access = borrowed_ != nullptr ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
        return DeviceBuffer{cl::Buffer(device.context(), access | CL_MEM_USE_HOST_PTR,
                                       borrowed_ != nullptr ? size_ : bytes,
                                       const_cast<void*>(host_pointer()))};
      });
}

// Whether it was scratch memory of other commands than those that the queue records now, or
// smaller.
bool Memory::is_gone(const Copy& copy, Queue& queue) const {
  const Recording* const recording = queue.recording();
  if (use_ == Use::kept || recording == nullptr) return false;
  return copy.buffer.piece->bytes < size_ || !recording->has(copy.buffer.piece);
}

void Memory::discard() {
  if (use_ == Use::kept) return;
  for (Copy& copy : copies_) {
    copy.invalidate();
    if (Recording* const recording = copy.user->recording())
      recording->give_back(copy.buffer.piece);
  }
}

void Memory::reject_gone() const {
  throw Error(
      ErrorCode::failed,
      amount(size_) + " of scratch memory are read that no command of the same time has written");
}

// The copy on the queue's device, made if there is none. `queue` uses it after other queues'
// commands, and needs its contents if it `reads` them.
Memory::Copy& Memory::copy_for(Queue& queue, bool reads) const {
  auto copy = std::find_if(copies_.begin(), copies_.end(),
                           [&](const Copy& c) { return c.device.get() == &queue.device(); });
  if (copy == copies_.end()) {
    const Device& device = queue.device();
    const DeviceInfo& info = device.info();
    const std::size_t bytes = rounded_up(capacity_, kGranule);
    if (bytes > info.largest_allocation) {
      throw Error(ErrorCode::out_of_memory,
                  amount(bytes) + " do not fit into one buffer of " + device.label() +
                      ": at most " + amount(info.largest_allocation) + " are allowed" + kWhatElse);
    }
    // A driver may read host memory when the buffer is created.
    if (device.is_zero_copy()) {
      await_download();
      load_lent();
    }
    Copy made;
    made.device = queue.shared_device();
    made.buffer = buffer_for(queue);
    made.valid = device.is_zero_copy() && host_valid_;
    copies_.push_back(std::move(made));
    copy = copies_.end() - 1;
  } else if (is_gone(*copy, queue)) {
    if (reads && copy->valid && !host_valid_) reject_gone();
    copy->buffer = buffer_for(queue);
    copy->user = queue.shared_from_this();
    copy->invalidate();
  }
  if (copy->user.get() != &queue) {
    if (copy->user != nullptr) queue.wait_for(*copy->user);
    copy->user = queue.shared_from_this();
  }
  copy->last_use = queue.position() + 1;
  return *copy;
}

// Uploads the contents, if there are any, to `copy`.
void Memory::make_valid(Copy& copy, Queue& queue) const {
  if ((copy.valid && copy.stale.empty()) || size_ == 0) {
    if (!transfers_.empty()) forget_what_is_done();
    return;
  }
  if (!host_valid_) fetch();
  if (!host_valid_) return;
  await_download();
  if (lent_ != nullptr && lent_->is_on(*copy.device)) return copy_lent(copy, queue);
  load_lent();
  const ByteRange lacking = copy.valid ? copy.stale.bounds() : ByteRange{0, size_};
  translate_errors(
      copy.device.get(),
      [&] { return "upload of " + amount(lacking.size()) + " to " + copy.device->label(); },
      [&] {
        if (copy.device->is_zero_copy()) {
          // Tells the driver that the host has written; nothing is copied.
          void* const mapped = queue.commands().enqueueMapBuffer(copy.buffer.whole, CL_FALSE,
                                                                 CL_MAP_WRITE_INVALIDATE_REGION,
                                                                 lacking.begin, lacking.size());
          queue.enqueued();
          queue.commands().enqueueUnmapMemObject(copy.buffer.whole, mapped);
          queue.enqueued();
        } else if (copy.valid) {
          // Partial uploads are small or rare: not worth a pinned copy.
          upload(copy, queue, host_pointer(), copy.stale.all());
        } else {
          const void* const source = staging_.source_of(host_pointer(), size_, capacity_, queue);
          upload(copy, queue, source, {&lacking, 1},
                 borrowed_ == nullptr ? staging_.give_first() : nullptr);
        }
      });
  copy.valid = true;
  copy.stale.clear();
  copy.last_use = queue.position() + 1;
}

// Within the device's memory.
void Memory::copy_lent(Copy& copy, Queue& queue) const {
  std::vector<Recording::Copy> copies(1);
  copies.front() = {.piece = copy.buffer.piece,
                    .bytes = size_,
                    .data = {},
                    .source = lent_->buffer(),
                    .source_offset = lent_->offset_of(borrowed_),
                    .after = lent_->acquired()};
  const std::uint64_t position = queue.enqueued();
  queue.recording()->add_uploads(std::move(copies));
  still_at_work({queue.shared_from_this(), position, {}});
  copy.valid = true;
  copy.last_use = queue.position() + 1;
}

void Memory::prefetch(Queue& queue, std::size_t first, std::size_t bytes) const {
  check_range(first, bytes);
  if (lent_ == nullptr || bytes == 0 || queue.recording() == nullptr ||
      !lent_->is_on(queue.device())) {
    return;
  }
  const auto* const begin = static_cast<const std::byte*>(borrowed_);
  const std::span<std::byte> units = lent_->units_around(begin + first, bytes, begin, size_);
  if (units.empty()) return;
  Copy& copy = copy_for(queue, true);
  make_valid(copy, queue);
  const auto at = static_cast<std::size_t>(units.data() - begin);
  Transfer transfer;
  translate_errors(
      copy.device.get(),
      [&] { return "download of " + amount(units.size()) + " from " + copy.device->label(); },
      [&] {
        read(copy, {at, at + units.size()}, units.data(), transfer);
      });
  transfer.queue = copy.user;
  still_at_work(std::move(transfer));
  prefetched_.push_back(units);
}

void Memory::arrived() const {
  if (prefetched_.empty()) return;
  await_transfers();
  for (const std::span<const std::byte> units : std::exchange(prefetched_, {})) {
    lent_->set_loaded(units);
  }
}

void Memory::upload(Copy& copy, Queue& queue, const void* source, std::span<const ByteRange> ranges,
                    std::shared_ptr<std::byte> staged) const {
  std::vector<Recording::Copy> uploads;
  bool reads_later = false;
  std::uint64_t position = 0;
  for (const ByteRange& range : ranges) {
    const auto* const from = static_cast<const std::byte*>(source) + range.begin;
    Recording::Copy upload{copy.buffer.piece, range.begin, range.size(), from, nullptr, {}};
    if (upload.is_small()) {
      upload.data.assign(from, from + range.size());
    } else {
      reads_later = true;
    }
    uploads.push_back(std::move(upload));
    position = queue.enqueued();
    queue.count().bytes_up += range.size();
    ++queue.count().copies;
  }
  queue.recording()->add_uploads(std::move(uploads));
  if (reads_later) still_at_work({queue.shared_from_this(), position, {}, std::move(staged)});
}

void Memory::forget_what_is_done() const {
  std::erase_if(transfers_, [](const Transfer& t) { return t.queue->is_done(t.position); });
}

void Memory::still_at_work(Transfer transfer) const {
  forget_what_is_done();
  try {
    transfers_.push_back(std::move(transfer));
  } catch (const std::bad_alloc&) {
    transfer.wait();
  }
}

// Makes `copy` the only valid one, before a command of `queue` writes it.
void Memory::claim(Copy& copy, Queue& queue) {
  if (download_ != nullptr && download_->queue.get() != &queue) await_download();
  if (copy.device->is_zero_copy()) {
    await_transfers();
    await_zero_copy_users(&queue);
  }
  // A download of the old contents may still be writing to host memory.
  if (download_ != nullptr) still_at_work(std::move(*std::exchange(download_, nullptr)));
  for (Copy& other : copies_) other.invalidate();
  copy.valid = true;
  host_valid_ = false;
  staging_.forget();
  drop_host();
}

// The host has no use for contents that a device has taken over, unless they are fetched, to pinned
// memory; and small arrays may be written anew each frame.
void Memory::drop_host() const {
  if (host_ == nullptr || capacity_ <= Recording::kSmallCopy) return;
  forget_what_is_done();
  const auto uses_host = [](const Copy& copy) { return copy.device->is_zero_copy(); };
  if (!transfers_.empty() || std::ranges::any_of(copies_, uses_host)) return;
  if (PinnedMemory::holds(host_.get())) return;
  host_.reset();
  staging_.clear();
}

// Waits for all commands that use host memory.
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
  // Removed even if waiting throws, so that nobody waits again.
  const std::unique_ptr<Transfer> download = std::move(download_);
  try {
    download->wait();
  } catch (...) {
    host_valid_ = false;
    throw;
  }
}

void Memory::await_transfers() const { await_others(nullptr); }

// Commands of `queue` itself need no wait: it is in order.
void Memory::await_others(const Queue* queue) const {
  Waits waits;
  std::erase_if(transfers_, [&](const Transfer& transfer) {
    if (transfer.queue.get() == queue) return false;
    waits.attempt([&] { transfer.wait(); });
    return true;
  });
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

}  // namespace cltrack
