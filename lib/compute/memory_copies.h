// SPDX-License-Identifier: LGPL-2.1-or-later
// Copies of a Memory on devices, and which of their bytes are outdated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compute/cl.h"
#include "compute/memory.h"
#include "compute/recording.h"

namespace cltrack {

// A set of byte ranges: the parts of an array that are outdated in a device's copy.

struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// Ascending and disjoint. Each range costs one copy command: beyond kMost ranges, the two with the
// smallest gap are merged.
class ByteRanges {
 public:
  static constexpr std::size_t kMost = 16;

  bool empty() const { return ranges_.empty(); }
  std::span<const ByteRange> all() const { return ranges_; }
  // The range that spans all; must not be empty.
  ByteRange bounds() const { return {ranges_.front().begin, ranges_.back().end}; }

  void add(ByteRange range);
  // Removes what lies after the first `size` bytes.
  void clip(std::size_t size);
  void clear() { ranges_.clear(); }

 private:
  std::vector<ByteRange> ranges_;
};

// Memory of a device: a buffer of its own, or a piece of the arena.
struct DeviceBuffer {
  cl::Buffer whole;  // null if it is a piece
  std::size_t offset = 0;
  PieceRef piece = nullptr;
};

// Internals of Memory: its copies on devices, and commands that are not done yet.

// The copy on one device.
struct Memory::Copy {
  std::shared_ptr<Device> device;
  DeviceBuffer buffer;
  bool valid = false;  // except `stale`, which is valid on the host
  ByteRanges stale;
  std::shared_ptr<Queue> user;  // the queue with the latest command that uses the buffer
  std::uint64_t last_use = 0;   // position of that command

  void invalidate() {
    valid = false;
    stale.clear();
  }
};

struct Memory::Transfer {
  std::shared_ptr<Queue> queue;
  std::uint64_t position = 0;
  cl::Event done;
  std::shared_ptr<std::byte> staged = nullptr;  // that is needed until then, and by nobody else

  void wait() const { queue->wait(position, &done); }
};

namespace memory_parts {

constexpr std::size_t kGranule = 64;

inline std::string amount(std::size_t bytes) { return std::to_string(bytes) + " bytes"; }

// Waits for several devices even if some of them fail, and keeps the first failure.
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

}  // namespace memory_parts

}  // namespace cltrack
