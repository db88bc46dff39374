// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/timing.h"

#include <algorithm>
#include <vector>

#include "cltrack/frame.h"

namespace cltrack {

std::int64_t FramePace::interval() const {
  const auto known = static_cast<std::ptrdiff_t>(std::min(count_, intervals_.size()));
  if (known == 0) return 0;
  auto sorted = intervals_;
  const auto middle = sorted.begin() + known / 2;
  std::nth_element(sorted.begin(), middle, sorted.begin() + known);
  return *middle;
}

int FramePace::observe(std::int64_t pts, bool follows_on) {
  const std::int64_t before = before_;
  before_ = pts;
  if (!follows_on || pts == kNoTimestamp || before == kNoTimestamp || pts <= before) return 1;
  const std::int64_t since = pts - before;
  std::int64_t steps = 1;
  if (const std::int64_t middle = interval(); middle > 0) {
    steps = since / middle + (since % middle > middle / 2 ? 1 : 0);
  }
  intervals_[count_ % intervals_.size()] = since;
  ++count_;
  return static_cast<int>(std::clamp<std::int64_t>(steps, 1, kMostSteps));
}

void StageClock::add(std::chrono::duration<float, std::milli> time) {
  latest_ms_[latest_++ % latest_ms_.size()] = time.count();
  total_ms_ += static_cast<double>(time.count());
  ++calls_;
}

StageStats StageClock::stats() const {
  StageStats stats;
  stats.name = name_;
  stats.calls = calls_;
  stats.total_ms = total_ms_;
  const auto known =
      static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(latest_, latest_ms_.size()));
  if (known == 0) return stats;
  std::vector<float> sorted(latest_ms_.begin(), latest_ms_.begin() + known);
  std::sort(sorted.begin(), sorted.end());
  stats.median_ms = static_cast<double>(sorted[sorted.size() / 2]);
  stats.p99_ms = static_cast<double>(sorted[(sorted.size() - 1) * 99 / 100]);
  return stats;
}

void StageClock::reset() {
  calls_ = latest_ = 0;
  total_ms_ = 0;
}

}  // namespace cltrack
