// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/lent_memory.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "compute/memory.h"
#include "compute/memory_copies.h"

namespace cltrack {

LentMemory::~LentMemory() {
  try {
    end();
  } catch (...) {  // a failed device: it no longer reads the memory
  }
}

void LentMemory::begin(std::shared_ptr<ExternalBuffer> buffer, std::size_t first,
                       std::size_t bytes) {
  end();
  buffer->acquire();
  buffer_ = std::move(buffer);
  first_ = first;
  bytes_ = bytes;
  try {
    make_host_copy();
  } catch (...) {
    end();
    throw;
  }
}

void LentMemory::make_host_copy() {
  Device& device = *buffer_->opened();
  if (device.is_zero_copy()) {
    translate_errors(
        &device, [&] { return "mapping a lent buffer of " + device.label(); },
        [&] {
          mapped_ = static_cast<std::byte*>(device.mapping_commands().enqueueMapBuffer(
              buffer_->buffer(), CL_TRUE, CL_MAP_READ, first_, bytes_));
        });
    host_ = mapped_;
    return;
  }
  if (copy_bytes_ < bytes_ || copy_device_.lock() != buffer_->opened()) {
    copy_ = pinned_bytes(buffer_->opened(), bytes_);
    if (copy_ == nullptr) {
      copy_.reset(static_cast<std::byte*>(std::malloc(bytes_)), std::free);
      if (copy_ == nullptr) throw std::bad_alloc();
    }
    copy_bytes_ = bytes_;
    copy_device_ = buffer_->opened();
  }
  host_ = copy_.get();
  loaded_.assign((bytes_ + kUnit - 1) / kUnit, false);
}

void LentMemory::end() {
  if (buffer_ == nullptr) return;
  const std::shared_ptr<ExternalBuffer> buffer = std::exchange(buffer_, nullptr);
  bytes_ = 0;
  host_ = nullptr;
  memory_parts::Waits both;  // it is released even if unmapping fails
  both.attempt([&] {
    std::byte* const mapped = std::exchange(mapped_, nullptr);
    if (mapped == nullptr) return;
    Device& device = *buffer->opened();
    translate_errors(
        &device, [&] { return "unmapping a lent buffer of " + device.label(); },
        [&] {
          cl::Event done;
          device.mapping_commands().enqueueUnmapMemObject(buffer->buffer(), mapped, nullptr, &done);
          device.mapping_commands().flush();
          done.wait();
        });
  });
  both.attempt([&] { buffer->release(); });
  both.rethrow();
}

bool LentMemory::holds(const void* data) const {
  const std::less<> before;
  return host_ != nullptr && !before(data, host_) && before(data, host_ + bytes_);
}

std::size_t LentMemory::place_of(const void* data) const {
  return static_cast<std::size_t>(static_cast<const std::byte*>(data) - host_);
}

std::size_t LentMemory::offset_of(const void* data) const { return first_ + place_of(data); }

void LentMemory::load(const void* data, std::size_t bytes) const {
  if (mapped_ != nullptr || bytes == 0) return;
  const std::size_t begin = place_of(data);
  const auto last = loaded_.begin() + static_cast<std::ptrdiff_t>((begin + bytes - 1) / kUnit + 1);
  const std::lock_guard lock(mutex_);
  auto next = loaded_.begin() + static_cast<std::ptrdiff_t>(begin / kUnit);
  for (;;) {
    next = std::find(next, last, false);
    if (next == last) return;
    const auto end = std::find(next, last, true);
    read(static_cast<std::size_t>(next - loaded_.begin()) * kUnit,
         std::min(bytes_, static_cast<std::size_t>(end - loaded_.begin()) * kUnit));
    std::fill(next, end, true);
    next = end;
  }
}

std::span<std::byte> LentMemory::units_around(const void* data, std::size_t bytes,
                                              const void* within, std::size_t most) const {
  const std::size_t first = place_of(within), last = first + most;
  std::size_t begin = place_of(data) / kUnit * kUnit;
  std::size_t end = (place_of(data) + bytes + kUnit - 1) / kUnit * kUnit;
  if (begin < first) begin += kUnit;
  if (end > last && last < bytes_) end -= kUnit;
  end = std::min(end, last);
  if (mapped_ != nullptr || begin >= end) return {};
  return {copy_.get() + begin, end - begin};
}

void LentMemory::set_loaded(std::span<const std::byte> units) const {
  const std::lock_guard lock(mutex_);
  const std::size_t begin = place_of(units.data());
  std::fill(
      loaded_.begin() + static_cast<std::ptrdiff_t>(begin / kUnit),
      loaded_.begin() + static_cast<std::ptrdiff_t>((begin + units.size() + kUnit - 1) / kUnit),
      true);
}

void LentMemory::read(std::size_t begin, std::size_t end) const {
  Device& device = *buffer_->opened();
  translate_errors(
      &device,
      [&] {
        return "download of " + std::to_string(end - begin) + " bytes from " + device.label();
      },
      [&] {
        device.mapping_commands().enqueueReadBuffer(buffer_->buffer(), CL_TRUE, first_ + begin,
                                                    end - begin, copy_.get() + begin);
      });
}

}  // namespace cltrack
