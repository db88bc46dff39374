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
#include <string>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "compute/cl.h"
#include "compute/recording.h"

namespace cltrack {

class Device;

// Memory in which a batch's tables and small copies travel, on host and device. It is in use again
// when nobody else refers to it.
struct StagingSlot {
  std::shared_ptr<std::byte> up, down;  // pinned, if the driver has such memory
  PieceRef device_up, device_down;
  std::size_t up_bytes = 0, down_bytes = 0;
};

// A small download that has arrived in a slot.
struct Landing {
  std::shared_ptr<StagingSlot> slot;
  std::size_t at;
  void* to;
  std::size_t bytes;

  void land() const;
};

// What a batch takes from one queue.
struct Lane {
  std::vector<Recording::Command> commands;
  std::size_t scratch_bytes = 0;       // that they use
  std::size_t next = 0;                // the first one that is in no step
  std::vector<Landing> landings = {};  // what will have arrived when the batch is done
  std::optional<Error> failure = {};   // then the rest of the commands are dropped
  std::size_t scratch_begin = 0;       // of its part of the batch's, in the chunk
};

// A batch that the driver has.
struct Submitted {
  cl::Event end;                      // null if there is none; then all lanes have failed
  std::shared_ptr<StagingSlot> slot;  // in use until then, and so is
  PieceRef scratch;
};

// Gives batches to one queue of the driver.
class BatchWriter {
 public:
  BatchWriter(Device& device, cl::CommandQueue commands, std::shared_ptr<Arena> arena);
  ~BatchWriter();
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;

  // Does not wait. Errors are told to the lanes that they concern.
  Submitted submit(std::vector<Lane>& lanes);

  const cl::CommandQueue& commands() const { return commands_; }
  std::uint64_t launches() const { return launches_; }

 private:
  struct Member;
  struct Step;

  struct Place {
    std::size_t chunk, offset;
  };

  std::shared_ptr<StagingSlot> slot_of(std::size_t up, std::size_t down);
  void reserve_scratch(std::vector<Lane>& lanes);
  Place place_of(const Lane& lane, const Arena::Piece& piece) const;
  std::vector<Step> merge(std::vector<Lane>& lanes);
  std::size_t stage(std::vector<Step>& steps);
  void run(const Step& step);
  void copy(const Member& member);
  void launch(const Step& step, std::size_t first, std::size_t count);
  template <typename Doing, typename Work>
  std::optional<Error> attempt(Doing&& doing, Work&& work);

  Device& device_;
  const cl::CommandQueue commands_;
  const std::shared_ptr<Arena> arena_;
  LaunchedKernel copy_kernel_;
  std::vector<std::shared_ptr<StagingSlot>> slots_;
  std::shared_ptr<StagingSlot> slot_;  // of the batch that is being submitted
  // Of the batch that is being submitted, and of the next one, which begins when that has ended.
  PieceRef scratch_;
  std::vector<cl::Buffer> chunks_;
  std::atomic<std::uint64_t> launches_ = 0;
};

}  // namespace cltrack
