// SPDX-License-Identifier: LGPL-2.1-or-later
// Which steps of a batch can run at the same time: each gets one of two in-order queues of the
// driver, and the step of the other queue that it has to wait for. Steps that use the same memory
// keep their order, unless all of them only read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cltrack {

class SideBySide {
 public:
  struct Use {
    std::uint64_t begin, end;  // addresses
    bool is_written;
  };
  struct Place {
    std::size_t queue;                 // 0 or 1
    std::optional<std::size_t> after;  // the latest step of the other queue that has to be done
  };

  // The place of the next step; steps count from 0.
  Place add(std::span<const Use> uses);

 private:
  // Numbers of steps, from 1 on; 0 for none.
  struct Range {
    std::uint64_t begin, end;
    std::size_t writer;                  // the latest one
    std::array<std::size_t, 2> readers;  // since then, of each queue
  };

  std::vector<std::size_t> queues_;  // of each step
  std::array<std::size_t, 2> counts_ = {};
  std::array<std::size_t, 2> awaited_ = {};  // step of the other queue, by each queue
  std::vector<Range> ranges_;
};

}  // namespace cltrack
