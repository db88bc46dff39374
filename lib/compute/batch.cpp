// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/batch.h"

#include <algorithm>
#include <atomic>
#include <bit>
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

void Readback::copy_to_host() const { std::memcpy(to, slot->down.get() + at, bytes); }

// A launch or a copy, and where it stands in the slot.
struct BatchWriter::Member {
  Lane* lane;
  const Recording::Command* command;
  std::size_t staged = 0;  // a small copy's bytes
  std::array<std::uint32_t, 3> groups = {1, 1, 1};

  const Launch* launch() const { return std::get_if<Launch>(command); }
  const Copy* copy() const { return std::get_if<Copy>(command); }
};

// A step is one launch, or large copies.
struct BatchWriter::Step {
  LaunchedKernel* kernel = nullptr;  // null for large copies
  std::array<std::size_t, 3> local = {1, 1, 1};
  std::vector<Member> members = {};
  std::size_t table = 0;   // where it is in the slot
  std::size_t stride = 0;  // bytes of a member in the table
  const cl::CommandQueue* commands = nullptr;
  std::vector<cl::Event> after = {};   // what it waits for
  std::optional<cl::Event> done = {};  // of its latest command; empty if nobody waits for it

  cl::Event* event() { return done ? &*done : nullptr; }
};

BatchWriter::BatchWriter(Device& device, cl::CommandQueue commands, std::shared_ptr<Arena> arena)
    : device_(device),
      commands_(std::move(commands)),
      side_(device.context(), device.cl_device(), 0),
      arena_(std::move(arena)) {
  copy_kernel_.name = "copy_bytes";
}

// Batches that are on their way use the slots.
BatchWriter::~BatchWriter() {
  forget_queue(device_, commands_);
  finish();
}

// Each may wait for commands of the other, which only a flush is sure to send.
void BatchWriter::finish() noexcept {
  for (const cl::CommandQueue* queue : {&commands_, &side_}) {
    try {
      queue->flush();
    } catch (const cl::Error&) {
      // A device that has failed uses nothing more.
    }
  }
  finish_quietly(side_);
  finish_quietly(commands_);
}

template <typename Work>
std::optional<Error> BatchWriter::attempt(Work&& work) {
  return attempt([this] { return "submitting commands to " + device_.label(); },
                 std::forward<Work>(work));
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

Submitted BatchWriter::submit(std::vector<Lane>& lanes, bool side_by_side) {
  Submitted batch;
  try {
    submit_parts(lanes, side_by_side, batch);
  } catch (...) {
    finish();  // the memory of the commands is given back
    slot_.reset();
    use_.reset();
    throw;
  }
  use_.reset();
  return batch;
}

void BatchWriter::submit_parts(std::span<Lane> lanes, bool side_by_side, Submitted& batch) {
  side_by_side_ = side_by_side;
  submit_part(lanes, batch);
  const std::optional<Error> failure = attempt([&] {
    if (!use_) use_.emplace(arena_, commands_);
    batch.end = use_->end();
  });
  for (Lane& lane : lanes) {
    if (failure && !lane.failure) lane.failure = failure;
  }
}

// Lanes that do not fit into the device's memory together go one part after the other. What does
// not fit alone fails.
void BatchWriter::submit_part(std::span<Lane> lanes, Submitted& batch) {
  bool is_given = false;  // to the driver
  use_.reset();
  const std::optional<Error> failure = attempt([&] {
    if (copy_kernel_.kernel() == nullptr) {
      copy_kernel_.kernel = device_.kernel("copy_bytes", "copy_bytes");
    }
    reserve_scratch(lanes, batch);
    std::vector<Step> steps = merge(lanes);
    const std::size_t down = stage(steps, is_given);
    run_all(steps);
    if (down > 0) {
      commands_.enqueueReadBuffer(use_->chunks()[slot_->device_down->chunk], CL_FALSE,
                                  slot_->device_down->offset, down, slot_->down.get());
    }
  });
  if (slot_ != nullptr) batch.slots.push_back(std::exchange(slot_, nullptr));
  if (!failure) return;
  // What commands_ has not joined uses memory that is given back when commands_ has ended.
  if (is_given) finish();
  if (failure->code() == ErrorCode::out_of_memory && !is_given && lanes.size() > 1) {
    for (Lane& lane : lanes) lane.next = 0;
    const std::size_t half = lanes.size() / 2;
    submit_part(lanes.first(half), batch);
    submit_part(lanes.subspan(half), batch);
    return;
  }
  for (Lane& lane : lanes) {
    if (!lane.failure) lane.failure = failure;
  }
}

// A pool grows in steps of an eighth: what a smaller one leaves is used by few.
std::size_t BatchWriter::pool_size(std::size_t bytes) {
  return rounded_up(bytes, std::max(Arena::kGranule, std::bit_floor(bytes) / 8));
}

// Each lane has its own. Who is alone waits for the batches before it, if there is no other memory
// than theirs.
void BatchWriter::reserve_scratch(std::span<Lane> lanes, Submitted& batch) {
  std::size_t bytes = 0;
  for (const Lane& lane : lanes) bytes += lane.scratch_bytes;
  if (bytes == 0) return;
  if (scratch_ == nullptr || bytes > scratch_->bytes) {
    try {
      PieceRef larger = arena_->allocate(pool_size(bytes));
      batch.former_scratch.push_back(scratch_);  // it is in use even if this throws
      scratch_ = std::move(larger);
    } catch (const cl::Error&) {
      if (lanes.size() > 1 || scratch_ == nullptr) throw;
      finish_quietly(commands_);
      scratch_.reset();
      scratch_ = arena_->allocate(bytes);
    }
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
// with it, if it is the same, and so is what it has after that, as long as none of these launches
// needs another one's results.
std::vector<BatchWriter::Step> BatchWriter::merge(std::span<Lane> lanes) {
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
      const auto own_members = std::span(step.members).subspan(own);
      if (launch != nullptr) {
        return other != nullptr && other->kernel == launch->kernel &&
               other->local == launch->local &&
               std::ranges::none_of(own_members, [&](const Member& before) {
                 return before.launch()->conflicts_with(*other);
               });
      }
      if (other != nullptr || std::get<Copy>(next).is_small() != small) return false;
      return std::ranges::none_of(own_members, [&](const Member& before) {
        return before.copy()->overlaps(std::get<Copy>(next));
      });
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
  // The last owner has copied its data out.
  std::atomic_thread_fence(std::memory_order_acquire);
  const std::shared_ptr<StagingSlot> slot =
      unused != slots_.end() ? *unused : slots_.emplace_back(std::make_shared<StagingSlot>());
  const auto grow = [&](std::size_t bytes, std::shared_ptr<std::byte>& host, PieceRef& piece,
                        std::size_t& size) {
    if (bytes <= size) return;
    const std::size_t more = std::max(kLeastSlot, bytes + bytes / 2);
    size = 0;  // whatever throws
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

// Writes tables and small uploads into a slot, and sends it: `is_given`. Returns how much will come
// down.
std::size_t BatchWriter::stage(std::vector<Step>& steps, bool& is_given) {
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
  use_.emplace(arena_, commands_);
  is_given = true;
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
          member.lane->readbacks.push_back({slot_, member.staged, copy->to, copy->bytes});
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
  commands_.enqueueWriteBuffer(use_->chunks()[slot_->device_up->chunk], CL_FALSE,
                               slot_->device_up->offset, up, slot_->up.get());
  return down;
}

std::vector<SideBySide::Use> BatchWriter::uses_of(const Step& step) const {
  std::vector<SideBySide::Use> uses;
  for (const Member& member : step.members) {
    const auto add = [&](const Arena::Piece& piece, std::size_t offset, std::size_t bytes,
                         bool is_written) {
      const Place place = place_of(*member.lane, piece);
      const std::uint64_t begin = Arena::address(place.chunk, place.offset + offset);
      uses.push_back({begin, begin + bytes, is_written});
    };
    if (const Copy* const copy = member.copy()) {
      add(*copy->piece, copy->offset, copy->bytes, copy->to == nullptr);
      continue;
    }
    for (const Recording::UsedPiece& used : member.launch()->pieces) {
      add(*used.piece, 0, used.piece->bytes, used.is_written);
    }
  }
  return uses;
}

void BatchWriter::run_all(std::vector<Step>& steps) {
  for (Step& step : steps) step.commands = &commands_;
  const auto first = std::ranges::find_if(
      steps, [](const Step& step) { return step.members.front().launch() != nullptr; });
  if (side_by_side_ && steps.end() - first > 1) {
    run_side_by_side({steps.begin(), first}, {first, steps.end()});
  } else {
    for (Step& step : steps) run(step);
  }
}

// Uploads go first.
void BatchWriter::run_side_by_side(std::span<Step> uploads, std::span<Step> steps) {
  SideBySide order;
  std::vector<std::optional<std::size_t>> after;
  for (Step& step : steps) {
    const SideBySide::Place place = order.add(uses_of(step));
    if (place.queue == 1) step.commands = &side_;
    if (place.after) steps[*place.after].done.emplace();
    after.push_back(place.after);
  }
  for (Step& step : uploads) run(step);
  cl::Event begin, end;
  commands_.enqueueMarkerWithWaitList(nullptr, &begin);
  commands_.flush();
  const std::vector<cl::Event> begins = {begin};
  side_.enqueueBarrierWithWaitList(&begins);
  const cl::CommandQueue* latest = &commands_;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (after[i] && steps[*after[i]].done->operator()() != nullptr) {
      steps[i].after.push_back(*steps[*after[i]].done);
    }
    // PoCL cannot run a kernel in two queues at a time: lock_for_launch().
    if (device_.info().is_pocl() && steps[i].commands != latest) finish_quietly(*latest);
    latest = steps[i].commands;
    run(steps[i]);
    // Who waits for a step that launched nothing waits for those before it as well.
    if (steps[i].done && (*steps[i].done)() == nullptr) {
      latest->enqueueMarkerWithWaitList(nullptr, steps[i].event());
    }
  }
  side_.enqueueMarkerWithWaitList(nullptr, &end);
  side_.flush();
  const std::vector<cl::Event> ends = {end};
  commands_.enqueueBarrierWithWaitList(&ends);
}

// A failure of one queue's commands must not harm those of others.
void BatchWriter::run(Step& step) {
  if (step.kernel == nullptr) {
    for (const Member& member : step.members) {
      if (!member.lane->failure) copy(step, member);
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

void BatchWriter::copy(Step& step, const Member& member) {
  const Copy& copy = *member.copy();
  const auto doing = [&] {
    return (copy.to != nullptr ? "download of "
            : copy.is_inside() ? "copy of "
                               : "upload of ") +
           std::to_string(copy.bytes) + (copy.to != nullptr ? " bytes from " : " bytes to ") +
           device_.label();
  };
  member.lane->failure = attempt(doing, [&] {
    const Place place = place_of(*member.lane, *copy.piece);
    const cl::Buffer& buffer = use_->chunks()[place.chunk];
    const std::size_t at = place.offset + copy.offset;
    if (copy.to != nullptr) {
      step.commands->enqueueReadBuffer(buffer, CL_FALSE, at, copy.bytes, copy.to, &step.after,
                                       step.event());
    } else if (copy.is_inside()) {
      std::vector<cl::Event> after = step.after;
      if (copy.after() != nullptr) after.push_back(copy.after);
      step.commands->enqueueCopyBuffer(copy.source, buffer, copy.source_offset, at, copy.bytes,
                                       &after, step.event());
    } else {
      step.commands->enqueueWriteBuffer(buffer, CL_FALSE, at, copy.bytes, copy.from, &step.after,
                                        step.event());
    }
  });
}

void BatchWriter::launch(Step& step, std::size_t first, std::size_t count) {
  LaunchedKernel& kernel = *step.kernel;
  if (kernel.chunks_set != use_->version()) {
    const std::span<const cl::Buffer> chunks = use_->chunks();
    // Each buffer among the arguments makes a launch longer.
    for (cl_uint i = 0; i < CLTRACK_CHUNKS; ++i) {
      kernel.kernel.setArg(i, i < chunks.size() ? chunks[i] : cl::Buffer());
    }
    kernel.chunks_set = use_->version();
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
  step.commands->enqueueNDRangeKernel(
      kernel.kernel, cl::NullRange,
      cl::NDRange(groups * step.local[0], step.local[1], step.local[2]),
      cl::NDRange(step.local[0], step.local[1], step.local[2]), &step.after, step.event());
  ++launches_;
}

}  // namespace cltrack
