// SPDX-License-Identifier: LGPL-2.1-or-later
// Commands of a queue that the driver does not know yet, so that they can be given to it together
// with other queues' commands.
//
// Threading: one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compute/arena.h"
#include "compute/cl.h"

namespace cltrack {

class Device;

// A kernel object, and which of its arguments are set.
struct LaunchedKernel {
  cl::Kernel kernel;
  std::string name;
  // Items that a work-group may have. The driver is called for it once, as that call waits for
  // whoever is launching.
  std::size_t largest_group = 0;
  std::uint64_t chunks_set = 0;              // the version of them
  std::vector<std::size_t> locals_set = {};  // sizes of arguments in local memory
};

// Throws Error and cl::Error.
LaunchedKernel make_launched(Device& device, std::string_view program, std::string_view kernel,
                             std::string_view options);

using PieceRef = std::shared_ptr<const Arena::Piece>;

class Recording {
 public:
  // Small copies are sent with all others of the same time: what goes up is kept here.
  static constexpr std::size_t kSmallCopy = 1 << 16;

  struct UsedPiece {
    PieceRef piece;
    bool is_written = false;
    std::size_t at = 0;  // of its address among the arguments; a batch sets that of scratch memory
  };

  struct Launch {
    LaunchedKernel* kernel = nullptr;
    std::array<std::size_t, 3> local = {1, 1, 1};
    std::array<std::uint32_t, 3> groups = {1, 1, 1};
    std::vector<std::byte> arguments;  // as they stand in the table: kernels/parts/fused.cl
    std::vector<std::size_t> locals;
    std::vector<UsedPiece> pieces = {};

    // An argument at the next multiple of 8 bytes.
    void add(const void* value, std::size_t bytes);
    void add(const PieceRef& piece, bool is_written);

    // Whether one writes what the other uses. Both are of the same recording.
    bool conflicts_with(const Launch& other) const;
  };

  struct Copy {
    PieceRef piece;
    std::size_t offset = 0;  // in the piece
    std::size_t bytes = 0;
    const void* from = nullptr;   // an upload; null if `data` has what goes up
    void* to = nullptr;           // a download
    std::vector<std::byte> data;  // of a small upload
    cl::Buffer source = {};       // of a copy within the device's memory
    std::size_t source_offset = 0;
    cl::Event after = {};  // what it waits for; may be null

    bool is_inside() const { return source() != nullptr; }
    bool is_small() const { return bytes <= kSmallCopy && !is_inside(); }
    bool overlaps(const Copy& other) const {
      const std::size_t begin = piece->offset + offset;
      const std::size_t other_begin = other.piece->offset + other.offset;
      return piece->arena == other.piece->arena && piece->chunk == other.piece->chunk &&
             begin < other_begin + other.bytes && other_begin < begin + bytes;
    }
  };

  using Command = std::variant<Launch, Copy>;

  // Commands in order, and how much scratch memory they use.
  struct Taken {
    std::vector<Command> commands;
    std::size_t scratch_bytes = 0;
  };

  // Memory for the commands that are recorded until they are taken, or it is given back: what comes
  // after them uses it again. Its address is known when they are submitted.
  PieceRef scratch(std::size_t bytes);
  void give_back(const PieceRef& scratch);
  // For a queue that has the device for itself: later commands have other scratch memory while
  // there is little of it, so that they need not wait (compute/side_by_side.h).
  void set_spread(bool spread) { spread_ = spread; }
  // Whether it is neither given back nor taken.
  bool has(const PieceRef& scratch) const;
  bool has_all_scratch(const Launch& launch) const;

  void add(Launch launch);
  // Uploads go before all other commands, unless one of these uses the same memory, or it is
  // scratch memory.
  void add_uploads(std::vector<Copy> uploads);
  void add_download(Copy download);

  // Ends the use of all scratch memory. Downloads go behind all others, unless one of these writes
  // the same memory, or it is scratch memory.
  Taken take();
  // Drops all of it.
  void clear() noexcept;

 private:
  std::vector<PieceRef> scratch_;  // by rising offset
  std::size_t scratch_bytes_ = 0;  // that there have been at a time
  bool spread_ = false;
  std::vector<Copy> first_;  // uploads that go before all else
  std::vector<Command> commands_;
};

}  // namespace cltrack
