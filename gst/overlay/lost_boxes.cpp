// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/lost_boxes.h"

namespace cltrack::gst {
namespace {

// The limit for a long lost-time and many ids.
constexpr std::size_t kMaxEntries = 256;

}  // namespace

bool LostBoxes::advance(const FrameTime& time) {
  ++frame_;
  if (time.stream_time) {
    now_ = time.stream_time;
  } else if (time.duration > 0) {
    now_ = now_.value_or(0) + time.duration;
  } else {
    return false;
  }
  return true;
}

void LostBoxes::remember(const TrackRegion& region) {
  const bool has_state = region.state.has_value();
  if (!has_state && (region.id <= 0 || region.confidence)) return;
  Entry& entry = entries_[region.key()];
  entry.is_track = has_state || entry.is_track || (frame_ > 1 && entry.seen_frame == frame_ - 1);
  entry.region = region;
  entry.region.trail.clear();  // it ends where a track is lost
  entry.seen_at = *now_;
  entry.seen_frame = frame_;
}

std::vector<TrackRegion> LostBoxes::update(std::span<const TrackRegion> regions,
                                           const FrameTime& time, std::uint64_t lost_time) {
  if (lost_time == 0 || !advance(time)) {
    reset();
    return {};
  }
  for (const TrackRegion& region : regions) remember(region);

  std::vector<TrackRegion> lost;
  for (auto at = entries_.begin(); at != entries_.end();) {
    const Entry& entry = at->second;
    // Absolute, because playback may run backwards.
    const std::uint64_t since =
        *now_ > entry.seen_at ? *now_ - entry.seen_at : entry.seen_at - *now_;
    const bool seen = entry.seen_frame == frame_;
    if (!seen && (!entry.is_track || since > lost_time || entries_.size() > kMaxEntries)) {
      at = entries_.erase(at);
      continue;
    }
    if (!seen) {
      lost.push_back(entry.region);
      lost.back().state = TrackState::lost;
      lost.back().confidence.reset();
    }
    ++at;
  }
  return lost;
}

void LostBoxes::rescale(float x_factor, float y_factor) {
  for (auto& [key, entry] : entries_) {
    BoundingBox& box = entry.region.box;
    box = {box.x * x_factor, box.y * y_factor, box.width * x_factor, box.height * y_factor};
  }
}

void LostBoxes::reset() {
  entries_.clear();
  now_.reset();
  frame_ = 0;
}

}  // namespace cltrack::gst
