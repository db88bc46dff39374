// SPDX-License-Identifier: LGPL-2.1-or-later
// A device's memory for arrays: pieces of a few large buffers. A kernel can be given these few, so
// that one launch reaches the arrays of many.
//
// Threading: safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cltrack/device_info.h"
#include "compute/cl.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// The next multiple, at least one of them.
constexpr std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return std::max(unit, (bytes + unit - 1) / unit * unit);
}

class Arena : public std::enable_shared_from_this<Arena> {
 public:
  static constexpr std::size_t kGranule = 256;  // what vector types and transactions like

  // Bytes of one chunk. Commands that use it keep it until they are done.
  struct Piece {
    std::shared_ptr<Arena> arena;  // null: scratch memory of a recording, compute/recording.h
    std::size_t chunk;
    std::size_t offset;  // of scratch memory: in that of its recording
    std::size_t bytes;

    Piece(std::shared_ptr<Arena> of, std::size_t in_chunk, std::size_t at, std::size_t size)
        : arena(std::move(of)), chunk(in_chunk), offset(at), bytes(size) {}
    ~Piece() {
      if (!is_scratch()) arena->release(*this);
    }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

    bool is_scratch() const { return arena == nullptr; }
    // Scratch memory: of the same recording.
    bool overlaps(const Piece& other) const {
      return arena == other.arena && chunk == other.chunk && offset < other.offset + other.bytes &&
             other.offset < offset + bytes;
    }
    std::uint64_t address() const { return Arena::address(chunk, offset); }
  };

  // As kernels/parts/fused.cl takes it apart.
  static std::uint64_t address(std::size_t chunk, std::size_t offset) {
    return std::uint64_t{chunk} << CLTRACK_CHUNK_SHIFT | std::uint64_t{offset};
  }

  Arena(const cl::Context& context, const DeviceInfo& info) : context_(context), info_(info) {}

  // Throws cl::Error if the device has no memory left.
  std::shared_ptr<const Piece> allocate(std::size_t bytes);

  // Those that have been made so far.
  std::vector<cl::Buffer> chunks() const;
  cl::Buffer chunk(std::size_t index) const;

 private:
  struct Chunk {
    cl::Buffer buffer;
    std::map<std::size_t, std::size_t> free;  // where they end, by where they begin
  };

  void release(const Piece& piece) noexcept;
  void add_chunk(std::size_t bytes);

  const cl::Context context_;
  const DeviceInfo info_;
  mutable std::mutex mutex_;
  std::vector<Chunk> chunks_;
};

}  // namespace cltrack
