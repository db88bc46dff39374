// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/frame_pace.h"

#include <algorithm>

#include "cltrack/frame.h"

namespace cltrack {

int FramePace::see(std::int64_t pts, bool follows_on) {
  const std::int64_t before = before_;
  before_ = pts;
  if (!follows_on || pts == kNoTimestamp || before == kNoTimestamp || pts <= before) return 1;
  const std::int64_t interval = pts - before;
  const std::size_t known = std::min(count_, intervals_.size());
  std::int64_t steps = 1;
  if (known > 0) {
    auto sorted = intervals_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(known / 2);
    std::nth_element(sorted.begin(), middle, sorted.begin() + static_cast<std::ptrdiff_t>(known));
    const std::int64_t half = *middle / 2;
    steps = interval / *middle + (interval % *middle > half ? 1 : 0);
  }
  intervals_[count_ % intervals_.size()] = interval;
  ++count_;
  return static_cast<int>(std::clamp<std::int64_t>(steps, 1, kMostSteps));
}

}  // namespace cltrack
