// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/overlay_pointer.h"

#include <algorithm>
#include <vector>

#include "control/latest_tracks.h"

namespace cltrack::gst {

void OverlayPointer::see(GstEvent* event) {
  const MouseAction action = input_.see(event);
  if (action.kind != MouseAction::Kind::choose) return;
  const std::lock_guard lock(mutex_);
  click_ = action.point;
}

PointerMarks OverlayPointer::marks(std::span<const TrackRegion> regions) {
  std::optional<MousePoint> click;
  {
    const std::lock_guard lock(mutex_);
    click.swap(click_);
  }
  if (click) {
    std::vector<BoundingBox> boxes;
    for (const TrackRegion& region : regions) {
      // A lost track has no box that could be chosen.
      const bool is_shown = region.state != TrackState::lost;
      boxes.push_back(is_shown ? region.box : BoundingBox{});
    }
    if (const auto index = smallest_at(boxes, *click)) {
      chosen_ = {regions[*index].id, regions[*index].label};
    }
  }

  PointerMarks marks{.band = input_.band()};
  if (!chosen_) return marks;
  const auto found = std::find_if(regions.begin(), regions.end(), [&](const TrackRegion& region) {
    return region.id == chosen_->first && region.label == chosen_->second;
  });
  if (found == regions.end()) {
    chosen_.reset();
  } else {
    marks.chosen = static_cast<std::size_t>(found - regions.begin());
  }
  return marks;
}

void OverlayPointer::forget() {
  input_.reset();
  chosen_.reset();
  const std::lock_guard lock(mutex_);
  click_.reset();
}

}  // namespace cltrack::gst
