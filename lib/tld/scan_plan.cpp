// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/scan_plan.h"

#include <algorithm>
#include <cmath>

namespace cltrack {
namespace {

constexpr float kReach = 0.5f;  // beyond the box, sides of it
// More for each usual interval in which there was no frame; after more steps than these, the target
// may be anywhere.
constexpr float kReachOfStep = 0.25f;
constexpr int kMostSteps = 8;
constexpr float kLeastArea = 0.4f;  // of the smaller of box and window, in areas of the larger one

}  // namespace

void ScanPlan::begin(int steps, int interval) {
  steps_ = std::max(steps, 1);
  interval_ = interval;
  const bool is_whole = steps == 0 || !is_sure_ || interval == 1 || steps > kMostSteps;
  part_ = is_whole ? Part::whole : Part::near_and_rows;
  is_put_off_ = false;
}

void ScanPlan::put_off() {
  part_ = Part::near_and_rows;
  is_put_off_ = true;
}

void ScanPlan::look_near() {
  if (part_ == Part::whole) is_put_off_ = true;
  part_ = Part::near;
}

void ScanPlan::end(bool is_sure) {
  is_sure_ = is_sure;
  if (part_ == Part::nothing) return;
  if (part_ != Part::near) ++turn_;
  waits_ = is_put_off_ ? waits_ + 1 : 0;
}

ScanRegion ScanPlan::region(const std::optional<BoundingBox>& box, const ScanGrid& grid) const {
  if (part_ == Part::whole) return kWholeGrid;
  if (part_ == Part::nothing) return {};
  ScanRegion region = box ? region_near(*box, grid, steps_) : ScanRegion{};
  if (part_ == Part::near) return region;
  region.row_interval = interval_;
  region.row_turn = static_cast<int>(turn_ % static_cast<std::uint64_t>(interval_));
  return region;
}

ScanRegion region_near(const BoundingBox& box, const ScanGrid& grid, int steps) {
  const float reach = kReach + kReachOfStep * static_cast<float>(std::min(steps, kMostSteps) - 1);
  const auto is_like = [&](const ScanScale& scale) {
    const float area = static_cast<float>(scale.width) * static_cast<float>(scale.height);
    return std::min(area, box.area()) > kLeastArea * std::max(area, box.area());
  };
  const auto& scales = grid.scales();
  const auto first = std::ranges::find_if(scales, is_like);
  const auto last = std::find_if_not(first, scales.end(), is_like);
  const auto edge = [](float position) { return static_cast<int>(std::lround(position)); };
  return {.left = edge(box.x - reach * box.width),
          .top = edge(box.y - reach * box.height),
          .right = edge(box.right() + reach * box.width),
          .bottom = edge(box.bottom() + reach * box.height),
          .first_size = static_cast<int>(first - scales.begin()),
          .size_count = static_cast<int>(last - first),
          .row_interval = 0,
          .row_turn = 0};
}

}  // namespace cltrack
