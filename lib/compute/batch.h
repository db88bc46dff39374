// SPDX-License-Identifier: LGPL-2.1-or-later
// Commands of several queues of a device, given to the driver as a few: launches of the same kernel
// become one, and so do small copies.
//
// Threading: one thread at a time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "compute/cl.h"
#include "compute/recording.h"
#include "compute/side_by_side.h"

namespace cltrack {

class Device;

// Memory in which a batch's tables and small copies travel, on host and device. It is in use again
// when nobody else refers to it.
struct StagingSlot {
  std::shared_ptr<std::byte> up, down;  // pinned, if the driver has such memory
  PieceRef device_up, device_down;
  std::size_t up_bytes = 0, down_bytes = 0;
};

// A small download that has arrived in a slot, and is still to be copied to where it belongs.
struct Readback {
  std::shared_ptr<StagingSlot> slot;
  std::size_t at;
  void* to;
  std::size_t bytes;

  void copy_to_host() const;
};

// The commands that a batch takes from one queue.
struct Lane {
  std::vector<Recording::Command> commands;
  std::size_t scratch_bytes = 0;         // that they use
  std::size_t next = 0;                  // the first one that is in no step
  std::vector<Readback> readbacks = {};  // that will have arrived when the batch is done
  std::optional<Error> failure = {};     // then the rest of the commands are dropped
  std::size_t scratch_begin = 0;         // of its part of the batch's, in the chunk
};

// A batch that the driver has.
struct Submitted {
  cl::Event end;  // null if there is none; then all lanes have failed
  // In use until then.
  std::vector<std::shared_ptr<StagingSlot>> slots = {};
  std::vector<PieceRef> former_scratch = {};
};

// Gives batches to a queue of the driver, or to two.
class BatchWriter {
 public:
  BatchWriter(Device& device, cl::CommandQueue commands, std::shared_ptr<Arena> arena);
  ~BatchWriter();
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;

  // Waits only for memory that its own batches have. Errors are stored in the lanes that they
  // concern.
  Submitted submit(std::vector<Lane>& lanes, bool side_by_side);

  // Waits for all that the driver has been given, whatever it says.
  void finish() noexcept;

  const cl::CommandQueue& commands() const { return commands_; }
  std::uint64_t launches() const { return launches_; }

 private:
  struct Member;
  struct Step;

  struct Place {
    std::size_t chunk, offset;
  };

  std::shared_ptr<StagingSlot> slot_of(std::size_t up, std::size_t down);
  void submit_parts(std::span<Lane> lanes, bool side_by_side, Submitted& batch);
  void submit_part(std::span<Lane> lanes, Submitted& batch);
  static std::size_t pool_size(std::size_t bytes);
  void reserve_scratch(std::span<Lane> lanes, Submitted& batch);
  Place place_of(const Lane& lane, const Arena::Piece& piece) const;
  std::vector<Step> merge(std::span<Lane> lanes);
  std::size_t stage(std::vector<Step>& steps, bool& is_given);
  std::vector<SideBySide::Use> uses_of(const Step& step) const;
  void run_all(std::vector<Step>& steps);
  void run_side_by_side(std::span<Step> uploads, std::span<Step> steps);
  void run(Step& step);
  void copy(Step& step, const Member& member);
  void launch(Step& step, std::size_t first, std::size_t count);
  template <typename Work>
  std::optional<Error> attempt(Work&& work);
  template <typename Doing, typename Work>
  std::optional<Error> attempt(Doing&& doing, Work&& work);

  Device& device_;
  const cl::CommandQueue commands_;
  const cl::CommandQueue side_;  // for steps side by side; each batch ends in commands_
  bool side_by_side_ = false;    // of the batch that is being submitted
  const std::shared_ptr<Arena> arena_;
  LaunchedKernel copy_kernel_;
  std::vector<std::shared_ptr<StagingSlot>> slots_;
  std::shared_ptr<StagingSlot> slot_;  // of the batch that is being submitted
  // Scratch memory of the latest batch, and of the next one, which begins when that has ended.
  PieceRef scratch_;
  std::optional<Arena::Use> use_;  // of the part of a batch that is being submitted
  std::atomic<std::uint64_t> launches_ = 0;
};

}  // namespace cltrack
