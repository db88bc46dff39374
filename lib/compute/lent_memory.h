// SPDX-License-Identifier: LGPL-2.1-or-later
// A part of a device's memory that is lent for a frame, and the host's copy of what is needed of it
// there.
//
// Threading: begin() and end() one at a time, while nobody uses the rest; that is safe.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "compute/cl.h"
#include "compute/external_buffer.h"

namespace cltrack {

class LentMemory {
 public:
  LentMemory() = default;
  ~LentMemory();
  LentMemory(const LentMemory&) = delete;
  LentMemory& operator=(const LentMemory&) = delete;

  // Takes `bytes` bytes from `first` on, which must lie in the buffer. Throws Error; then nothing
  // is lent.
  void begin(std::shared_ptr<ExternalBuffer> buffer, std::size_t first, std::size_t bytes);
  // Commands that read it must be done. Throws Error{device_failed}; it has ended all the same. The
  // host's memory is kept for the next time.
  void end();

  // Where the bytes are on the host when they have been loaded. On a device that works in the
  // host's memory they are there without that.
  const std::byte* address() const { return host_; }
  std::size_t size() const { return bytes_; }
  bool holds(const void* data) const;

  // Brings those of these bytes to the host that are not there yet, in whole units of kUnit bytes.
  // `data` points to address() or behind it. Waits. Throws Error{device_failed}.
  void load(const void* data, std::size_t bytes) const;
  static constexpr std::size_t kUnit = 1 << 14;

  // For who brings them with other commands: where the units are that have these bytes, as far as
  // they lie in the `most` bytes from `within` on; and that they are there.
  std::span<std::byte> units_around(const void* data, std::size_t bytes, const void* within,
                                    std::size_t most) const;
  void set_loaded(std::span<const std::byte> units) const;

  // For commands of a queue of that device: where `data` is in the buffer.
  bool is_on(const Device& device) const { return buffer_->opened().get() == &device; }
  const cl::Buffer& buffer() const { return buffer_->buffer(); }
  cl::Event acquired() const { return buffer_->acquired(); }
  std::size_t offset_of(const void* data) const;

 private:
  void make_host_copy();
  std::size_t place_of(const void* data) const;
  void read(std::size_t begin, std::size_t end) const;

  std::shared_ptr<ExternalBuffer> buffer_;  // null when nothing is lent
  std::size_t first_ = 0, bytes_ = 0;
  const std::byte* host_ = nullptr;
  std::byte* mapped_ = nullptr;      // what host_ is, on a device that works in the host's memory
  std::shared_ptr<std::byte> copy_;  // and elsewhere
  std::size_t copy_bytes_ = 0;
  std::weak_ptr<Device> copy_device_;  // whose pinned memory that is
  mutable std::mutex mutex_;
  mutable std::vector<bool> loaded_;  // by unit
};

}  // namespace cltrack
