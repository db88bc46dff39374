// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/arena.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cltrack {
namespace {

// What a chunk grows by at least, and what part of a large device's memory it is.
constexpr std::size_t kLeastStep = 16 << 20;
constexpr std::uint64_t kStepOfMemory = 2048;
constexpr std::size_t kGrowth = 32;  // this part of a chunk

bool is_lack_of_memory(const cl::Error& error) {
  return error.err() == CL_MEM_OBJECT_ALLOCATION_FAILURE || error.err() == CL_OUT_OF_HOST_MEMORY ||
         error.err() == CL_INVALID_BUFFER_SIZE;
}

}  // namespace

Arena::Use::Use(std::shared_ptr<Arena> arena, const cl::CommandQueue& commands)
    : arena_(std::move(arena)), commands_(commands) {
  {
    const std::lock_guard gate(arena_->gate_);
    lock_ = std::shared_lock(arena_->in_use_);
  }
  const std::lock_guard lock(arena_->mutex_);
  for (const Chunk& chunk : arena_->chunks_) chunks_.push_back(chunk.buffer);
  version_ = arena_->version_;
  User& user = arena_->user_of(commands_);
  if (user.version != version_ && arena_->moved_() != nullptr) {
    const std::vector<cl::Event> after = {arena_->moved_};
    commands_.enqueueBarrierWithWaitList(&after);
  }
  user.version = version_;
}

Arena::Use::~Use() {
  if (!lock_.owns_lock()) return;
  try {
    end();
  } catch (const cl::Error&) {
    // Nobody can be told when they are done. Who makes room must not copy before that.
    finish_quietly(commands_);
  }
}

cl::Event Arena::Use::end() {
  cl::Event done;
  commands_.enqueueMarkerWithWaitList(nullptr, &done);
  commands_.flush();
  {
    const std::lock_guard lock(arena_->mutex_);
    arena_->user_of(commands_).latest = done;
  }
  lock_.unlock();
  chunks_.clear();
  return done;
}

Arena::User& Arena::user_of(const cl::CommandQueue& commands) {
  for (User& user : users_) {
    if (user.commands() == commands()) return user;
  }
  return users_.emplace_back(User{commands, {}});
}

std::shared_ptr<const Arena::Piece> Arena::allocate(std::size_t bytes) {
  const std::size_t size = rounded_up(bytes, kGranule);
  {
    const std::lock_guard lock(mutex_);
    if (auto piece = take(size)) return piece;
  }
  cl::Buffer former;  // a driver may wait before it lets go of it: others need not
  const std::lock_guard gate(gate_);
  const std::lock_guard all(in_use_);
  const std::lock_guard lock(mutex_);
  if (auto piece = take(size)) return piece;
  former = make_room(size);
  return take(size);
}

// Null if there is no room.
std::shared_ptr<const Arena::Piece> Arena::take(std::size_t bytes) {
  const auto none = chunks_.end();
  auto chunk = none;
  std::size_t begin = 0, length = 0;
  for (auto each = chunks_.begin(); each != chunks_.end(); ++each) {
    for (const auto& [first, last] : each->free) {
      if (last - first < bytes || (chunk != none && last - first >= length)) continue;
      chunk = each;
      begin = first;
      length = last - first;
    }
  }
  if (chunk == none) return nullptr;
  auto piece = std::make_shared<const Piece>(
      shared_from_this(), static_cast<std::size_t>(chunk - chunks_.begin()), begin, bytes);
  auto rest = chunk->free.extract(begin);  // nothing throws from here on
  if (bytes < length) {
    rest.key() += bytes;
    chunk->free.insert(std::move(rest));
  }
  return piece;
}

std::size_t Arena::step() const {
  const std::size_t least = std::max<std::size_t>(kLeastStep, info_.memory / kStepOfMemory);
  return chunks_.empty() ? least : std::max(least, chunks_.back().size / kGrowth);
}

// Drivers may look for the memory when a buffer is used first. Who asks is to be told of a lack of
// it, not all those whose launches have the buffer among their arguments.
cl::Buffer Arena::make_buffer(std::size_t size) {
  cl::Buffer buffer(context_, CL_MEM_READ_WRITE, size);
  if (trial_() == nullptr) {
    trial_ = cl::CommandQueue(context_, context_.getInfo<CL_CONTEXT_DEVICES>().front(), 0);
  }
  trial_.enqueueFillBuffer(buffer, cl_uchar{0}, 0, 1);
  trial_.finish();
  return buffer;
}

// Returns the buffer that has become too small, if there is one.
cl::Buffer Arena::make_room(std::size_t bytes) {
  if (!chunks_.empty()) {
    Chunk& last = chunks_.back();
    const bool has_end = !last.free.empty() && last.free.rbegin()->second == last.size;
    const std::size_t least = (has_end ? last.free.rbegin()->first : last.size) + bytes;
    const std::size_t more = std::min<std::size_t>(last.size + step(), info_.largest_allocation);
    if (least <= info_.largest_allocation) {
      for (const std::size_t size : {std::max(least, more), least}) {
        try {
          return replace(last, size);
        } catch (const cl::Error& error) {
          if (!is_lack_of_memory(error)) throw;
        }
      }
    }
  }
  add_chunk(bytes);
  return {};
}

// Behind all commands that have been given to the driver, and before those that come.
cl::Buffer Arena::replace(Chunk& chunk, std::size_t size) {
  cl::Buffer larger = make_buffer(size);
  if (!users_.empty()) {
    std::vector<cl::Event> after;
    for (const User& user : users_) {
      if (user.latest() != nullptr) after.push_back(user.latest);
    }
    const cl::CommandQueue& commands = users_.front().commands;
    cl::Event moved;
    commands.enqueueCopyBuffer(chunk.buffer, larger, 0, 0, chunk.size, &after, &moved);
    commands.flush();
    moved_ = moved;
  }
  if (!chunk.free.empty() && chunk.free.rbegin()->second == chunk.size) {
    chunk.free.rbegin()->second = size;
  } else {
    chunk.free.emplace(chunk.size, size);
  }
  chunk.size = size;
  ++version_;
  return std::exchange(chunk.buffer, larger);
}

void Arena::add_chunk(std::size_t bytes) {
  if (chunks_.size() == CLTRACK_CHUNKS) {
    throw cl::Error(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the arrays that the device has already");
  }
  std::size_t size = std::max(bytes, std::min<std::size_t>(step(), info_.largest_allocation));
  for (;; size = std::max(bytes, size / 2)) {
    try {
      chunks_.push_back({make_buffer(size), size, {{0, size}}});
      ++version_;
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

}  // namespace cltrack
