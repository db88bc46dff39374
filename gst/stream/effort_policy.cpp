// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/effort_policy.h"

#include <algorithm>

namespace cltrack::gst {
namespace {

constexpr auto kMotion = static_cast<std::size_t>(Look::motion);
constexpr std::int64_t kFading = 64;  // of an estimate, this part with each picture
constexpr std::int64_t kRoom = 80;    // percent of the time left that more work may take
constexpr std::int64_t kFalling = 8;  // estimates fall by this part of what they are too high
constexpr std::int64_t kRising = 2;   // and rise by this one

}  // namespace

Effort effort_of(Look look) {
  switch (look) {
    case Look::near:
      return Effort::near;
    case Look::motion:
      return Effort::motion;
    case Look::full:
    case Look::none:
      break;
  }
  return Effort::full;
}

bool EffortPolicy::fits(std::size_t level, const std::optional<std::int64_t>& left,
                        std::int64_t percent) const {
  return !left || (*left >= 0 && costs_[level] <= *left / 100 * percent);
}

Look EffortPolicy::choose(std::optional<std::int64_t> left, bool is_late_later) {
  for (std::size_t level = 0; level < level_; ++level) costs_[level] -= costs_[level] / kFading;
  std::size_t most = level_;
  while (most < kMotion && !fits(most, left, 100)) ++most;
  if (is_late_later && most == level_) most = std::min(level_ + 1, kMotion);

  if (most > level_) {
    level_ = most;
    calm_ = 0;
  } else if (level_ == 0 || is_late_later || !fits(level_ - 1, left, kRoom)) {
    calm_ = 0;
  } else if (++calm_ >= kCalm) {
    --level_;
    calm_ = 0;
  }
  if (fits(level_, left, 100) || skipped_ >= kMostSkipped) {
    skipped_ = 0;
    return static_cast<Look>(level_);
  }
  ++skipped_;
  return Look::none;
}

void EffortPolicy::took(Look look, std::int64_t ns) {
  std::int64_t& cost = costs_[static_cast<std::size_t>(look)];
  if (cost == 0) {
    cost = ns;
  } else {
    cost += (ns - cost) / (ns > cost ? kRising : kFalling);
  }
}

}  // namespace cltrack::gst
