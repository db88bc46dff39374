// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/scan_turns.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace cltrack {
namespace {

// The windows of a frame that are scanned away from the targets' boxes, in grids of the largest
// size.
constexpr std::uint64_t kScansOfFrame = 2;

}  // namespace

void plan_scans(std::span<Target* const> targets, int steps, Effort effort,
                const TldConfig& config) {
  std::uint64_t all = 0;
  for (const Target* target : targets) all += target->grid().size();
  const std::uint64_t most = kScansOfFrame * static_cast<std::uint64_t>(config.max_windows);
  const bool has_turns = config.motion == kCorrelation;
  const std::uint64_t interval =
      has_turns
          ? std::max(static_cast<std::uint64_t>(config.scan_interval), (all + most - 1) / most)
          : 1;
  std::vector<Target*> whole;
  for (Target* target : targets) {
    target->begin_scan(steps, static_cast<int>(interval));
    if (effort == Effort::near) target->scan_plan().look_near();
    if (target->scan_plan().is_whole()) whole.push_back(target);
  }
  if (!has_turns) return;
  std::ranges::stable_sort(whole, std::greater(),
                           [](Target* target) { return target->scan_plan().waits(); });
  std::uint64_t windows = all / interval;
  for (Target* target : whole) {
    windows += target->grid().size() - target->grid().size() / interval;
    if (windows > most && target != whole.front()) target->scan_plan().put_off();
  }
}

}  // namespace cltrack
