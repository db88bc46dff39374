// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/trail_memory.h"

#include <algorithm>
#include <cmath>

namespace cltrack::gst {

TrailMemory::Trail* TrailMemory::find_or_add(const TrackKey& key) {
  if (const auto found = trails_.find(key); found != trails_.end()) return &found->second;
  if (trails_.size() >= kMostTrails) {
    const auto oldest = std::min_element(
        trails_.begin(), trails_.end(),
        [](const auto& a, const auto& b) { return a.second.seen_frame < b.second.seen_frame; });
    if (oldest->second.seen_frame == frame_) return nullptr;
    trails_.erase(oldest);
  }
  return &trails_[key];
}

void TrailMemory::update(std::span<TrackRegion> regions, std::size_t length) {
  if (length == 0) return reset();
  ++frame_;
  for (TrackRegion& region : regions) {
    const TrackPoint center{region.box.x + region.box.width / 2,
                            region.box.y + region.box.height / 2};
    const bool is_known = region.id > 0 || region.state.has_value();
    if (!is_known || !region.box.is_valid() || !region.trail.empty()) continue;
    Trail* trail = find_or_add(region.key());
    // Of several regions with one key the first one counts.
    if (trail == nullptr || trail->seen_frame == frame_) continue;
    trail->seen_frame = frame_;
    trail->points.push_back(center);
    while (trail->points.size() > length) trail->points.pop_front();
    region.trail.assign(trail->points.begin(), trail->points.end());
  }
  std::erase_if(
      trails_, [this](const auto& item) { return frame_ - item.second.seen_frame > kForgetAfter; });
}

void TrailMemory::rescale(float x_factor, float y_factor) {
  for (auto& [key, trail] : trails_) {
    for (TrackPoint& point : trail.points) {
      point = {point.x * x_factor, point.y * y_factor};
    }
  }
}

}  // namespace cltrack::gst
