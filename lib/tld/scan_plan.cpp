// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/scan_plan.h"

#include <algorithm>
#include <cmath>

namespace cltrack {
namespace {

constexpr float kReach = 0.5f;      // beyond the box, sides of it
constexpr float kLeastArea = 0.4f;  // of the smaller of box and window, in areas of the larger one

}  // namespace

void ScanPlan::begin(bool follows_on, int interval) {
  interval_ = interval;
  is_whole_ = !follows_on || !is_sure_ || interval == 1;
  is_put_off_ = false;
}

void ScanPlan::put_off() {
  is_whole_ = false;
  is_put_off_ = true;
}

void ScanPlan::end(bool is_sure) {
  ++turn_;
  waits_ = is_put_off_ ? waits_ + 1 : 0;
  is_sure_ = is_sure;
}

ScanRegion ScanPlan::region(const std::optional<BoundingBox>& box, const ScanGrid& grid) const {
  if (is_whole_) return kWholeGrid;
  ScanRegion region = box ? region_near(*box, grid) : ScanRegion{};
  region.row_interval = interval_;
  region.row_turn = static_cast<int>(turn_ % static_cast<std::uint64_t>(interval_));
  return region;
}

ScanRegion region_near(const BoundingBox& box, const ScanGrid& grid) {
  const auto is_like = [&](const ScanScale& scale) {
    const float area = static_cast<float>(scale.width) * static_cast<float>(scale.height);
    return std::min(area, box.area()) > kLeastArea * std::max(area, box.area());
  };
  const auto& scales = grid.scales();
  const auto first = std::ranges::find_if(scales, is_like);
  const auto last = std::find_if_not(first, scales.end(), is_like);
  const auto edge = [](float position) { return static_cast<int>(std::lround(position)); };
  return {.left = edge(box.x - kReach * box.width),
          .top = edge(box.y - kReach * box.height),
          .right = edge(box.right() + kReach * box.width),
          .bottom = edge(box.bottom() + kReach * box.height),
          .first_size = static_cast<int>(first - scales.begin()),
          .size_count = static_cast<int>(last - first),
          .row_interval = 0,
          .row_turn = 0};
}

}  // namespace cltrack
