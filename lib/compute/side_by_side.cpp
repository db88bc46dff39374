// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/side_by_side.h"

#include <algorithm>

namespace cltrack {

// The queue on which it has to wait for nothing of the other one; if that is both, the one with
// less to do; if it is none, the one with the latest of what it needs, which may be at work still.
SideBySide::Place SideBySide::add(std::span<const Use> uses) {
  std::array<std::size_t, 2> needed = {};  // the latest step of each queue
  const auto need = [&](std::size_t queue, std::size_t step) {
    needed[queue] = std::max(needed[queue], step);
  };
  for (const Use& use : uses) {
    for (const Range& range : ranges_) {
      if (range.begin >= use.end || use.begin >= range.end) continue;
      if (range.writer > 0) need(queues_[range.writer - 1], range.writer);
      if (!use.is_written) continue;
      for (const std::size_t queue : {0, 1}) need(queue, range.readers[queue]);
    }
  }
  const auto waits = [&](std::size_t queue) { return needed[1 - queue] > awaited_[queue]; };
  const bool second =
      waits(0) == waits(1) ? waits(0) ? needed[1] > needed[0] : counts_[1] < counts_[0] : waits(0);
  const std::size_t queue = second ? 1 : 0;
  Place place{queue, std::nullopt};
  if (waits(queue)) {
    awaited_[queue] = needed[1 - queue];
    place.after = awaited_[queue] - 1;
  }
  queues_.push_back(queue);
  ++counts_[queue];
  const std::size_t step = queues_.size();
  for (const Use& use : uses) {
    const auto known = std::ranges::find_if(ranges_, [&](const Range& range) {
      return range.begin == use.begin && range.end == use.end;
    });
    Range& range =
        known != ranges_.end() ? *known : ranges_.emplace_back(Range{use.begin, use.end, 0, {}});
    if (use.is_written) {
      range.writer = step;
      range.readers = {};
    } else {
      range.readers[queue] = step;
    }
  }
  return place;
}

}  // namespace cltrack
