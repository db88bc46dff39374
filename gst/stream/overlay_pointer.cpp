// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/overlay_pointer.h"

#include <algorithm>
#include <vector>

#include "control/latest_tracks.h"

namespace cltrack::gst {

namespace {

// Never negative, as the id of a choice is, whatever others number their regions with.
int choice_of(const TrackRegion& region) {
  return region_id(static_cast<std::uint64_t>(region.id));
}

}  // namespace

void OverlayPointer::see(GstEvent* event) {
  const MouseAction action = input_.see(event);
  if (action.kind != MouseAction::Kind::choose) return;
  const std::lock_guard lock(mutex_);
  click_ = action.point;
}

PointerMarks OverlayPointer::marks(std::span<const TrackRegion> regions, ChosenTrack& chosen) {
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
      const TrackRegion& region = regions[*index];
      clicked_ = {{choice_of(region), region.tracker}, region.key()};
      chosen.set(clicked_->value);
    }
  }

  PointerMarks marks{.band = input_.band()};
  const ChosenTrack::Value now = chosen.get();
  if (clicked_ && clicked_->value != now) clicked_.reset();  // somebody else chose since
  if (now.id < 0) return marks;
  const auto found = std::find_if(regions.begin(), regions.end(), [&](const TrackRegion& region) {
    if (clicked_) return region.key() == clicked_->key;
    return choice_of(region) == region_id(static_cast<std::uint64_t>(now.id)) &&
           (now.tracker.empty() || region.tracker == now.tracker);
  });
  if (found != regions.end()) {
    marks.chosen = static_cast<std::size_t>(found - regions.begin());
  } else {
    drop_clicked(chosen);
  }
  return marks;
}

void OverlayPointer::drop_clicked(ChosenTrack& chosen) {
  if (!clicked_) return;
  chosen.drop(clicked_->value);
  clicked_.reset();
}

void OverlayPointer::forget(ChosenTrack& chosen) {
  input_.reset();
  drop_clicked(chosen);
  const std::lock_guard lock(mutex_);
  click_.reset();
}

}  // namespace cltrack::gst
