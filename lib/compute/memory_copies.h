// SPDX-License-Identifier: LGPL-2.1-or-later
// Internals of Memory: its copies on devices, and commands that are not done yet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "compute/byte_ranges.h"
#include "compute/cl.h"
#include "compute/memory.h"

namespace cltrack {

// The copy on one device.
struct Memory::Copy {
  std::shared_ptr<Device> device;
  cl::Buffer buffer;
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

  void wait() const { queue->wait(position, &done); }
};

namespace memory_parts {

constexpr std::size_t kGranule = 64;

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t unit = kGranule) {
  return std::max(unit, (bytes + unit - 1) / unit * unit);
}

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
