// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/arena.h"

#include <algorithm>
#include <iterator>

namespace cltrack {
namespace {

// The first chunk, and what part of a large device's memory it is; each further one is twice as
// large, so that the few of them that kernels take are a quarter of it.
constexpr std::size_t kLeastChunk = 16 << 20;
constexpr std::uint64_t kFirstOfMemory = 1024;

bool is_lack_of_memory(const cl::Error& error) {
  return error.err() == CL_MEM_OBJECT_ALLOCATION_FAILURE || error.err() == CL_OUT_OF_HOST_MEMORY ||
         error.err() == CL_INVALID_BUFFER_SIZE;
}

}  // namespace

std::shared_ptr<const Arena::Piece> Arena::allocate(std::size_t bytes) {
  const std::size_t size = rounded_up(bytes, kGranule);
  const std::lock_guard lock(mutex_);
  for (std::size_t index = 0;; ++index) {
    if (index == chunks_.size()) add_chunk(size);
    std::map<std::size_t, std::size_t>& free = chunks_[index].free;
    const auto range = std::ranges::find_if(
        free, [&](const auto& each) { return each.second - each.first >= size; });
    if (range == free.end()) continue;
    const auto [begin, end] = *range;
    auto piece = std::make_shared<const Piece>(shared_from_this(), index, begin, size);
    free.erase(range);
    if (begin + size < end) free.emplace(begin + size, end);
    return piece;
  }
}

void Arena::add_chunk(std::size_t bytes) {
  if (chunks_.size() == CLTRACK_CHUNKS) {
    throw cl::Error(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the arrays that the device has already");
  }
  std::size_t size = std::max<std::size_t>(kLeastChunk, info_.memory / kFirstOfMemory);
  size = std::max(bytes, std::min<std::size_t>(size << chunks_.size(), info_.largest_allocation));
  for (;; size = std::max(bytes, size / 2)) {
    try {
      cl::Buffer buffer(context_, CL_MEM_READ_WRITE, size);
      chunks_.push_back({std::move(buffer), {{0, size}}});
      return;
    } catch (const cl::Error& error) {
      if (size == bytes || !is_lack_of_memory(error)) throw;
    }
  }
}

void Arena::release(const Piece& piece) noexcept {
  const std::lock_guard lock(mutex_);
  std::map<std::size_t, std::size_t>& free = chunks_[piece.chunk].free;
  std::size_t begin = piece.offset, end = piece.offset + piece.bytes;
  const auto after = free.lower_bound(begin);
  if (after != free.begin() && std::prev(after)->second == begin) begin = std::prev(after)->first;
  if (after != free.end() && after->first == end) {
    end = after->second;
    free.erase(after);
  }
  free[begin] = end;
}

std::vector<cl::Buffer> Arena::chunks() const {
  const std::lock_guard lock(mutex_);
  std::vector<cl::Buffer> all;
  for (const Chunk& chunk : chunks_) all.push_back(chunk.buffer);
  return all;
}

cl::Buffer Arena::chunk(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  return chunks_[index].buffer;
}

}  // namespace cltrack
