// SPDX-License-Identifier: LGPL-2.1-or-later
// A typed array that is copied between host and devices when needed: data that kernels write and
// read never goes to the host. See memory.h for the rules.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "compute/memory.h"

namespace cltrack {

template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  explicit Array(std::size_t size) { resize(size); }
  explicit Array(std::span<const T> values) { assign(values); }

  std::size_t size() const { return memory_.size() / sizeof(T); }
  void resize(std::size_t size) { memory_.resize(size * sizeof(T)); }

  // Copies `values` into host memory.
  void assign(std::span<const T> values) {
    resize(values.size());
    std::copy(values.begin(), values.end(), host_write().begin());
  }

  void borrow(std::span<const T> values) { memory_.borrow(values.data(), values.size_bytes()); }
  void release() { memory_.release(); }

  std::span<const T> host_read() const {
    return {static_cast<const T*>(memory_.host_read()), size()};
  }
  std::span<T> host_write() { return {static_cast<T*>(memory_.host_write()), size()}; }
  std::span<T> host_update() { return {static_cast<T*>(memory_.host_update()), size()}; }
  // For elements [first, first + count) only: copies of the others on devices stay valid.
  std::span<T> host_update(std::size_t first, std::size_t count) {
    return {static_cast<T*>(memory_.host_update(first * sizeof(T), count * sizeof(T))), count};
  }
  void fetch() const { memory_.fetch(); }
  // Of elements [first, first + count) only, to the host memory of `to`, which has no others then.
  void fetch(std::size_t first, std::size_t count, Array& to) const {
    memory_.fetch(first * sizeof(T), count * sizeof(T), to.memory_);
  }

  const cl::Buffer& device_read(Queue& queue) const { return memory_.device_read(queue); }
  const cl::Buffer& device_write(Queue& queue) { return memory_.device_write(queue); }
  const cl::Buffer& device_update(Queue& queue) { return memory_.device_update(queue); }

  void stage(Queue& queue, const StagingBuffer::RunParts& run) const { memory_.stage(queue, run); }

  const Memory& memory() const { return memory_; }
  Memory& memory() { return memory_; }

 private:
  Memory memory_;
};

}  // namespace cltrack
