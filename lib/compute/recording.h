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
#include <variant>
#include <vector>

#include "compute/arena.h"
#include "compute/cl.h"

namespace cltrack {

// A kernel object. What is set by whoever launches it next.
struct LaunchedKernel {
  cl::Kernel kernel;
  std::string name;
  std::size_t chunks_set = 0;
  std::vector<std::size_t> locals_set = {};  // sizes of arguments in local memory
};

using PieceRef = std::shared_ptr<const Arena::Piece>;

class Recording {
 public:
  // Small copies are sent with all others of the same time: what goes up is kept here.
  static constexpr std::size_t kSmallCopy = 1 << 16;

  struct Launch {
    LaunchedKernel* kernel = nullptr;
    std::array<std::size_t, 3> local = {1, 1, 1};
    std::array<std::uint32_t, 3> groups = {1, 1, 1};
    std::vector<std::byte> arguments;  // as they stand in the table: kernels/parts/fused.cl
    std::vector<std::size_t> locals;
    std::vector<PieceRef> reads;
    std::vector<PieceRef> writes;

    // An argument at the next multiple of 8 bytes.
    void add(const void* value, std::size_t bytes);
    void add(const PieceRef& piece, bool is_written);
  };

  struct Copy {
    PieceRef piece;
    std::size_t offset = 0;  // in the piece
    std::size_t bytes = 0;
    const void* from = nullptr;   // an upload; null if `data` has what goes up
    void* to = nullptr;           // a download
    std::vector<std::byte> data;  // of a small upload

    bool is_small() const { return bytes <= kSmallCopy; }
    bool overlaps(const Copy& other) const {
      return piece == other.piece && offset < other.offset + other.bytes &&
             other.offset < offset + bytes;
    }
  };

  using Command = std::variant<Launch, Copy>;

  void add(Launch launch);
  // Uploads go before all other commands, unless one of these uses the same memory.
  void add_uploads(std::vector<Copy> uploads);
  void add_download(Copy download);

  // Commands in order. Downloads go behind all others, unless one of these writes the same memory.
  std::vector<Command> take();

 private:
  std::vector<Copy> first_;  // uploads that go before all else
  std::vector<Command> commands_;
};

}  // namespace cltrack
