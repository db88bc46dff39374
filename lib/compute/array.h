// SPDX-License-Identifier: LGPL-2.1-or-later
// Arrays and planes that are copied between host and devices when needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "cltrack/image_view.h"
#include "compute/memory.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// A typed array that is copied between host and devices when needed: data that kernels write and
// read never goes to the host. See memory.h for the rules.
template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  explicit Array(Memory::Use use) : memory_(use) {}
  explicit Array(std::size_t size) { resize(size); }
  explicit Array(std::span<const T> values) { assign(values); }

  std::size_t size() const { return memory_.size() / sizeof(T); }
  void resize(std::size_t size) { memory_.resize(size * sizeof(T)); }

  // Copies `values` into host memory.
  void assign(std::span<const T> values) {
    resize(values.size());
    std::copy(values.begin(), values.end(), host_write().begin());
  }

  void discard() { memory_.discard(); }

  void borrow(std::span<const T> values, std::shared_ptr<const LentMemory> lent = nullptr) {
    memory_.borrow(values.data(), values.size_bytes(), std::move(lent));
  }
  void release() { memory_.release(); }
  void share(const Array& other) { memory_.share(other.memory_); }

  std::span<const T> host_read() const {
    return {static_cast<const T*>(memory_.host_read()), size()};
  }
  // Of some elements; see Memory::host_read().
  std::span<const T> host_read(std::size_t first, std::size_t count) const {
    return {static_cast<const T*>(memory_.host_read(first * sizeof(T), count * sizeof(T))), count};
  }
  std::span<T> host_write() { return {static_cast<T*>(memory_.host_write()), size()}; }
  std::span<T> host_update() { return {static_cast<T*>(memory_.host_update()), size()}; }
  // For elements [first, first + count) only: copies of the others on devices stay valid.
  std::span<T> host_update(std::size_t first, std::size_t count) {
    return {static_cast<T*>(memory_.host_update(first * sizeof(T), count * sizeof(T))), count};
  }
  void fetch() const { memory_.fetch(); }
  // Fetches elements [first, first + count) only, to the host memory of `to`, which has no others
  // then.
  void fetch(std::size_t first, std::size_t count, Array& to) const {
    memory_.fetch(first * sizeof(T), count * sizeof(T), to.memory_);
  }

  const DeviceBuffer& device_read(Queue& queue) const { return memory_.device_read(queue); }
  const DeviceBuffer& device_write(Queue& queue) { return memory_.device_write(queue); }
  const DeviceBuffer& device_update(Queue& queue) { return memory_.device_update(queue); }

  void stage(Queue& queue, const StagingBuffer::RunParts& run) const { memory_.stage(queue, run); }

  const Memory& memory() const { return memory_; }
  Memory& memory() { return memory_; }

 private:
  Memory memory_;
};

template <typename... T>
void discard(Array<T>&... arrays) {
  (arrays.discard(), ...);
}

// One 8-bit plane of a picture on host or device: like ImageView, for operations that run on
// devices.

struct Plane {
  Array<std::uint8_t> pixels;
  PlaneLayout layout = {};

  int width() const { return layout.width; }
  int height() const { return layout.height; }

  // Makes it a packed plane for an operation to write; contents are unspecified.
  void resize(int width, int height) {
    layout = {width, height, width, 0};
    pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  }

  // Uses the picture without copying it; see Memory::borrow. Uploads include the padding between
  // rows: one long copy is faster than many short ones.
  void borrow(const ImageView& view, std::shared_ptr<const LentMemory> lent = nullptr) {
    layout = {view.width, view.height, static_cast<std::int32_t>(view.stride), 0};
    const std::size_t bytes = view.empty()
                                  ? 0
                                  : static_cast<std::size_t>(view.stride * (view.height - 1)) +
                                        static_cast<std::size_t>(view.width);
    pixels.borrow({view.data, bytes}, std::move(lent));
  }

  void release() { pixels.release(); }

  // For host bodies; waits if only a device has the contents.
  ImageView host_view() const {
    return {pixels.host_read().data() + layout.offset, layout.width, layout.height, layout.stride};
  }
  // The same picture, of which only the rows from `first` to `last` are needed, `last` included.
  ImageView host_view(int first, int last) const {
    if (pixels.memory().lent() == nullptr) return host_view();
    const std::ptrdiff_t begin = layout.offset + std::ptrdiff_t{first} * layout.stride;
    const std::ptrdiff_t bytes = std::ptrdiff_t{last - first} * layout.stride + layout.width;
    const auto rows =
        pixels.host_read(static_cast<std::size_t>(begin), static_cast<std::size_t>(bytes));
    return {rows.data() - begin + layout.offset, layout.width, layout.height, layout.stride};
  }
};

// Borrows a picture for a Plane, or another class with borrow() and release(), until the end of a
// scope (RAII).
template <typename Planes>
class ScopedBorrow {
 public:
  // Throws what planes.borrow(picture, more...) throws; then nothing is borrowed.
  template <typename Picture, typename... More>
  ScopedBorrow(Planes& planes, const Picture& picture, const More&... more) : planes_(planes) {
    try {
      planes_.borrow(picture, more...);
    } catch (...) {
      release();
      throw;
    }
  }
  ~ScopedBorrow() { release(); }
  ScopedBorrow(const ScopedBorrow&) = delete;
  ScopedBorrow& operator=(const ScopedBorrow&) = delete;

 private:
  void release() noexcept {
    try {
      planes_.release();
    } catch (...) {  // a failed device: it no longer reads the picture
    }
  }

  Planes& planes_;
};

}  // namespace cltrack
