// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/latest_tracks.h"

#include <utility>

namespace cltrack::gst {

std::optional<std::size_t> smallest_at(std::span<const BoundingBox> boxes,
                                       const MousePoint& point) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const BoundingBox& box = boxes[i];
    const bool contains =
        point.x >= static_cast<double>(box.x) && point.x < static_cast<double>(box.right()) &&
        point.y >= static_cast<double>(box.y) && point.y < static_cast<double>(box.bottom());
    if (contains && (!found || box.area() < boxes[*found].area())) found = i;
  }
  return found;
}

void LatestTracks::set(std::span<const Track> tracks) {
  std::vector<BoundingBox> boxes;
  std::vector<Entry> entries;
  for (const Track& track : tracks) {
    if (!track.has_box()) continue;
    boxes.push_back(track.box);
    entries.push_back({track.id, track.label});
  }
  const std::lock_guard lock(mutex_);
  boxes_.swap(boxes);
  entries_.swap(entries);
}

void LatestTracks::remove(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].id != id) continue;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
    boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

std::optional<LatestTracks::Entry> LatestTracks::at(const MousePoint& point) const {
  const std::lock_guard lock(mutex_);
  const std::optional<std::size_t> found = smallest_at(boxes_, point);
  if (!found) return std::nullopt;
  return entries_[*found];
}

}  // namespace cltrack::gst
