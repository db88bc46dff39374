// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/staging_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "compute/pinned_memory.h"
#include "compute/queue.h"

namespace cltrack {
namespace {

// CPU drivers use memory in place if it is aligned to a page.
constexpr std::size_t kAlignment = 4096;

constexpr std::size_t kLeast = 1 << 14;  // drivers send fewer bytes with the command itself
constexpr std::size_t kPart = 1 << 18;   // copying less takes less time than waking a thread

}  // namespace

std::shared_ptr<std::byte> pinned_bytes(Queue& queue, std::size_t bytes) {
  const std::size_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  std::size_t room = whole + kAlignment;
  std::shared_ptr<PinnedMemory> pinned = PinnedMemory::make(queue.shared_device(), room);
  if (pinned == nullptr) return nullptr;
  void* data = pinned->data();
  std::align(kAlignment, whole, data, room);
  return {std::move(pinned), static_cast<std::byte*>(data)};
}

const void* StagingBuffer::source_of(const void* contents, std::size_t size, std::size_t capacity,
                                     Queue& queue, const RunParts& run) {
  if (size < kLeast || PinnedMemory::holds(contents)) return contents;
  if (copy_ == nullptr && possible_) {
    copy_ = pinned_bytes(queue, capacity);
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

void StagingBuffer::clear() {
  copy_.reset();
  holds_ = false;
  possible_ = true;
}

}  // namespace cltrack
