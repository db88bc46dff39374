// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/batch.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "compute/device.h"
#include "compute/memory.h"
#include "compute/queue.h"

namespace cltrack {
namespace {

constexpr std::size_t kLeastSlot = 1 << 16;
constexpr std::size_t kUnit = 16;  // tables and copies begin at multiples of it
constexpr std::size_t kCopyItems = 128;
constexpr std::size_t kCopyBytes = kCopyItems * 16;  // of a work-group
constexpr cl_uint kFirstLocal = CLTRACK_CHUNKS + 2;  // behind the chunks, the table and its size

using Launch = Recording::Launch;
using Copy = Recording::Copy;

}  // namespace

void Landing::land() const { std::memcpy(to, slot->down.get() + at, bytes); }

// A launch or a copy, and where it stands in the slot.
struct BatchWriter::Member {
  Lane* lane;
  const Recording::Command* command;
  std::size_t staged = 0;  // a small copy's bytes
  std::array<std::uint32_t, 3> groups = {1, 1, 1};

  const Launch* launch() const { return std::get_if<Launch>(command); }
  const Copy* copy() const { return std::get_if<Copy>(command); }
};

// What is one launch, or large copies.
struct BatchWriter::Step {
  LaunchedKernel* kernel = nullptr;  // null for large copies
  std::array<std::size_t, 3> local = {1, 1, 1};
  std::vector<Member> members = {};
  std::size_t table = 0;   // where it is in the slot
  std::size_t stride = 0;  // bytes of a member in the table
};

BatchWriter::BatchWriter(Device& device, cl::CommandQueue commands, std::shared_ptr<Arena> arena)
    : device_(device), commands_(std::move(commands)), arena_(std::move(arena)) {
  copy_kernel_.name = "copy_bytes";
}

// What is on its way uses the slots.
BatchWriter::~BatchWriter() {
  forget_queue(device_, commands_);
  try {
    commands_.finish();
  } catch (const cl::Error&) {
    // A device that has failed uses nothing more.
  }
}

template <typename Doing, typename Work>
std::optional<Error> BatchWriter::attempt(Doing&& doing, Work&& work) {
  try {
    translate_errors(&device_, doing, work);
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorCode::out_of_memory, doing() + " failed: the host has no memory left");
  }
}

Submitted BatchWriter::submit(std::vector<Lane>& lanes) {
  Submitted batch;
  const auto doing = [this] { return "submitting commands to " + device_.label(); };
  const std::optional<Error> failure = attempt(doing, [&] {
    if (copy_kernel_.kernel() == nullptr) {
      copy_kernel_.kernel = device_.kernel("copy_bytes", "copy_bytes");
    }
    reserve_scratch(lanes);
    std::vector<Step> steps = merge(lanes);
    const std::size_t down = stage(steps);
    for (const Step& step : steps) run(step);
    if (down > 0) {
      commands_.enqueueReadBuffer(chunks_[slot_->device_down->chunk], CL_FALSE,
                                  slot_->device_down->offset, down, slot_->down.get());
    }
    commands_.enqueueMarkerWithWaitList(nullptr, &batch.end);
    commands_.flush();
  });
  batch.slot = std::exchange(slot_, nullptr);
  batch.scratch = scratch_;
  for (Lane& lane : lanes) {
    if (failure && !lane.failure) lane.failure = failure;
  }
  return batch;
}

// Each lane has its own.
void BatchWriter::reserve_scratch(std::vector<Lane>& lanes) {
  std::size_t bytes = 0;
  for (const Lane& lane : lanes) bytes += lane.scratch_bytes;
  if (bytes == 0) return;
  if (scratch_ == nullptr || bytes > scratch_->bytes) {
    scratch_.reset();
    scratch_ = arena_->allocate(bytes);
  }
  std::size_t next = scratch_->offset;
  for (Lane& lane : lanes) {
    lane.scratch_begin = next;
    next += lane.scratch_bytes;
  }
}

BatchWriter::Place BatchWriter::place_of(const Lane& lane, const Arena::Piece& piece) const {
  if (!piece.is_scratch()) return {piece.chunk, piece.offset};
  return {scratch_->chunk, lane.scratch_begin + piece.offset};
}

// The queue with the most commands to come decides what is next; what others have next is done
// with it, if it is the same.
std::vector<BatchWriter::Step> BatchWriter::merge(std::vector<Lane>& lanes) {
  std::vector<Step> steps;
  const auto rest = [](const Lane& lane) { return lane.commands.size() - lane.next; };
  for (;;) {
    const auto longest = std::ranges::max_element(lanes, {}, rest);
    if (longest == lanes.end() || rest(*longest) == 0) return steps;
    const Recording::Command& head = longest->commands[longest->next];
    const auto* launch = std::get_if<Launch>(&head);
    const bool small = launch == nullptr && std::get<Copy>(head).is_small();
    Step step;
    step.members.reserve(lanes.size());
    if (launch != nullptr) {
      step.kernel = launch->kernel;
      step.local = launch->local;
    } else if (small) {
      step.kernel = &copy_kernel_;
      step.local[0] = kCopyItems;
    }
    const auto fits = [&](const Lane& lane, std::size_t own) {
      const Recording::Command& next = lane.commands[lane.next];
      const auto* other = std::get_if<Launch>(&next);
      if (launch != nullptr) {
        return other != nullptr && own == step.members.size() && other->kernel == launch->kernel &&
               other->local == launch->local;
      }
      if (other != nullptr || std::get<Copy>(next).is_small() != small) return false;
      return std::none_of(
          step.members.begin() + static_cast<std::ptrdiff_t>(own), step.members.end(),
          [&](const Member& before) { return before.copy()->overlaps(std::get<Copy>(next)); });
    };
    for (Lane& lane : lanes) {
      const std::size_t own = step.members.size();
      while (rest(lane) > 0 && fits(lane, own)) {
        step.members.push_back({&lane, &lane.commands[lane.next++]});
      }
    }
    steps.push_back(std::move(step));
  }
}

std::shared_ptr<StagingSlot> BatchWriter::slot_of(std::size_t up, std::size_t down) {
  const auto unused = std::ranges::find_if(
      slots_, [](const std::shared_ptr<StagingSlot>& each) { return each.use_count() == 1; });
  // Whoever had it has read all.
  std::atomic_thread_fence(std::memory_order_acquire);
  const std::shared_ptr<StagingSlot> slot =
      unused != slots_.end() ? *unused : slots_.emplace_back(std::make_shared<StagingSlot>());
  const auto grow = [&](std::size_t bytes, std::shared_ptr<std::byte>& host, PieceRef& piece,
                        std::size_t& size) {
    if (bytes <= size) return;
    const std::size_t more = std::max(kLeastSlot, bytes + bytes / 2);
    piece = arena_->allocate(more);
    // The device has this object: it must not be kept open by it.
    host = pinned_bytes(std::shared_ptr<Device>(std::shared_ptr<Device>(), &device_), more);
    if (host == nullptr) {
      host.reset(static_cast<std::byte*>(std::malloc(more)), std::free);
      if (host == nullptr) throw std::bad_alloc();
    }
    size = more;
  };
  grow(up, slot->up, slot->device_up, slot->up_bytes);
  grow(down, slot->down, slot->device_down, slot->down_bytes);
  return slot;
}

// Writes tables and small uploads into a slot, and sends it. Returns how much will come down.
std::size_t BatchWriter::stage(std::vector<Step>& steps) {
  constexpr std::size_t kCopyStride = sizeof(FusedLaunch) + 3 * 8;
  std::size_t up = 0, down = 0;
  for (Step& step : steps) {
    if (step.kernel == nullptr) continue;
    const Launch* const launch = step.members.front().launch();
    step.stride = launch != nullptr ? sizeof(FusedLaunch) + launch->arguments.size() : kCopyStride;
    step.table = up;
    up += rounded_up(step.members.size() * step.stride, kUnit);
    for (Member& member : step.members) {
      const Copy* const copy = member.copy();
      if (copy == nullptr) {
        member.groups = member.launch()->groups;
        continue;
      }
      std::size_t& place = copy->to != nullptr ? down : up;
      member.staged = place;
      place += rounded_up(copy->bytes, kUnit);
      member.groups[0] = static_cast<std::uint32_t>((copy->bytes + kCopyBytes - 1) / kCopyBytes);
    }
  }
  if (up > 0) slot_ = slot_of(up, down);
  chunks_ = arena_->chunks();
  if (up == 0) return 0;
  for (const Step& step : steps) {
    if (step.kernel == nullptr) continue;
    std::byte* entry = slot_->up.get() + step.table;
    std::uint32_t first = 0;
    for (const Member& member : step.members) {
      const FusedLaunch launch = {first, {member.groups[0], member.groups[1], member.groups[2]}};
      std::memcpy(entry, &launch, sizeof(launch));
      first += member.groups[0] * member.groups[1] * member.groups[2];
      if (const Copy* const copy = member.copy()) {
        const bool down_there = copy->to != nullptr;
        const Place place = place_of(*member.lane, *copy->piece);
        const std::uint64_t own = Arena::address(place.chunk, place.offset + copy->offset);
        const PieceRef& staging = down_there ? slot_->device_down : slot_->device_up;
        const std::uint64_t staged = staging->address() + member.staged;
        const std::uint64_t arguments[3] = {down_there ? own : staged, down_there ? staged : own,
                                            copy->bytes};
        std::memcpy(entry + sizeof(launch), arguments, sizeof(arguments));
        if (down_there) {
          member.lane->landings.push_back({slot_, member.staged, copy->to, copy->bytes});
        } else {
          std::memcpy(slot_->up.get() + member.staged, copy->data.data(), copy->bytes);
        }
      } else {
        const std::vector<std::byte>& arguments = member.launch()->arguments;
        std::byte* const to = entry + sizeof(launch);
        std::memcpy(to, arguments.data(), arguments.size());
        for (const Recording::UsedPiece& used : member.launch()->pieces) {
          if (!used.piece->is_scratch()) continue;
          const Place place = place_of(*member.lane, *used.piece);
          const std::uint64_t address = Arena::address(place.chunk, place.offset);
          std::memcpy(to + used.at, &address, sizeof(address));
        }
      }
      entry += step.stride;
    }
  }
  commands_.enqueueWriteBuffer(chunks_[slot_->device_up->chunk], CL_FALSE, slot_->device_up->offset,
                               up, slot_->up.get());
  return down;
}

// What one queue's commands fail by must not harm those of others.
void BatchWriter::run(const Step& step) {
  if (step.kernel == nullptr) {
    for (const Member& member : step.members) {
      if (!member.lane->failure) copy(member);
    }
    return;
  }
  const auto doing = [&] { return "kernel " + step.kernel->name + " on " + device_.label(); };
  const std::size_t count = step.members.size();
  const bool all_go_on = std::ranges::none_of(
      step.members, [](const Member& m) { return m.lane->failure.has_value(); });
  std::optional<Error> failure;
  if (all_go_on) {
    failure = attempt(doing, [&] { launch(step, 0, count); });
    if (!failure) return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<Error>& own = step.members[i].lane->failure;
    if (own) continue;
    own = count == 1 ? failure : attempt(doing, [&] { launch(step, i, 1); });
  }
}

void BatchWriter::copy(const Member& member) {
  const Copy& copy = *member.copy();
  const auto doing = [&] {
    return (copy.to != nullptr ? "download of " : "upload of ") + std::to_string(copy.bytes) +
           (copy.to != nullptr ? " bytes from " : " bytes to ") + device_.label();
  };
  member.lane->failure = attempt(doing, [&] {
    const Place place = place_of(*member.lane, *copy.piece);
    const cl::Buffer& buffer = chunks_[place.chunk];
    const std::size_t at = place.offset + copy.offset;
    if (copy.to != nullptr) {
      commands_.enqueueReadBuffer(buffer, CL_FALSE, at, copy.bytes, copy.to);
    } else {
      commands_.enqueueWriteBuffer(buffer, CL_FALSE, at, copy.bytes, copy.from);
    }
  });
}

void BatchWriter::launch(const Step& step, std::size_t first, std::size_t count) {
  LaunchedKernel& kernel = *step.kernel;
  if (kernel.chunks_set != chunks_.size()) {
    for (cl_uint i = 0; i < CLTRACK_CHUNKS; ++i) {
      kernel.kernel.setArg(i, chunks_[i < chunks_.size() ? i : 0]);
    }
    kernel.chunks_set = chunks_.size();
  }
  std::size_t groups = 0;
  std::vector<std::size_t> locals;
  for (std::size_t i = first; i < first + count; ++i) {
    const Member& member = step.members[i];
    groups += std::size_t{member.groups[0]} * member.groups[1] * member.groups[2];
    if (member.launch() == nullptr) continue;
    const std::vector<std::size_t>& own = member.launch()->locals;
    locals.resize(own.size());
    for (std::size_t j = 0; j < own.size(); ++j) locals[j] = std::max(locals[j], own[j]);
  }
  const cl_ulong table = slot_->device_up->address() + step.table + first * step.stride;
  kernel.kernel.setArg(CLTRACK_CHUNKS, table);
  kernel.kernel.setArg(CLTRACK_CHUNKS + 1, static_cast<cl_uint>(count));
  if (kernel.locals_set != locals) {
    kernel.locals_set.clear();
    for (cl_uint i = 0; i < locals.size(); ++i) {
      kernel.kernel.setArg(kFirstLocal + i, locals[i], nullptr);
    }
    kernel.locals_set = locals;
  }
  commands_.enqueueNDRangeKernel(kernel.kernel, cl::NullRange,
                                 cl::NDRange(groups * step.local[0], step.local[1], step.local[2]),
                                 cl::NDRange(step.local[0], step.local[1], step.local[2]));
  ++launches_;
}

}  // namespace cltrack
