// SPDX-License-Identifier: LGPL-2.1-or-later
// A device's memory for arrays: pieces of a large buffer, a chunk. A kernel can be given few
// buffers, each of which makes a launch longer, so that one launch reaches the arrays of many.
//
// A chunk that is too small is copied into a larger one, within the device and between the commands
// that use it; pieces keep their places. It grows by a 32nd, or by a step of a 2048th of the
// device's memory (16 MB at least) if that is more: of a chunk, all but a 32nd or a step is in use,
// or is between pieces. Only where there is no memory for both, or a buffer cannot be as
// large, there is a further chunk, up to CLTRACK_CHUNKS. A piece takes the smallest place that is
// large enough.
//
// Threading: safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
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

  // The chunks, for who gives commands to a queue of the driver: they stay what they are until it
  // has ended. Meanwhile, the thread must not allocate.
  class Use {
   public:
    // Commands that come wait for a chunk that is still being copied. Throws cl::Error.
    Use(std::shared_ptr<Arena> arena, const cl::CommandQueue& commands);
    ~Use();  // ends, if it has not ended
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    std::span<const cl::Buffer> chunks() const { return chunks_; }
    std::uint64_t version() const { return version_; }  // of the chunks: others have another one

    // Sends the commands to the device. The event tells when all of them are done. Throws
    // cl::Error.
    cl::Event end();

   private:
    const std::shared_ptr<Arena> arena_;
    const cl::CommandQueue commands_;
    std::shared_lock<std::shared_mutex> lock_;
    std::vector<cl::Buffer> chunks_;
    std::uint64_t version_ = 0;
  };

  Arena(const cl::Context& context, const DeviceInfo& info) : context_(context), info_(info) {}

  // Throws cl::Error if the device has no memory left.
  std::shared_ptr<const Piece> allocate(std::size_t bytes);

 private:
  struct Chunk {
    cl::Buffer buffer;
    std::size_t size = 0;
    std::map<std::size_t, std::size_t> free;  // where they end, by where they begin
  };
  struct User {
    cl::CommandQueue commands;
    cl::Event latest;           // of its commands
    std::uint64_t version = 0;  // of the chunks that they use
  };

  std::shared_ptr<const Piece> take(std::size_t bytes);
  void release(const Piece& piece) noexcept;
  std::size_t step() const;
  User& user_of(const cl::CommandQueue& commands);
  cl::Buffer make_buffer(std::size_t size);
  cl::Buffer make_room(std::size_t bytes);
  cl::Buffer replace(Chunk& chunk, std::size_t size);
  void add_chunk(std::size_t bytes);

  const cl::Context context_;
  const DeviceInfo info_;
  // Locked in this order: who makes room waits for those who use the chunks, and who comes later
  // waits for it.
  std::mutex gate_;
  std::shared_mutex in_use_;
  std::mutex mutex_;  // of all below
  std::vector<Chunk> chunks_;
  std::uint64_t version_ = 0;
  std::list<User> users_;
  cl::Event moved_;         // the latest copy of a chunk; may be null
  cl::CommandQueue trial_;  // of buffers that are new; made when it is needed
};

}  // namespace cltrack
