// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/stage_clock.h"

#include <algorithm>
#include <vector>

namespace cltrack {

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
