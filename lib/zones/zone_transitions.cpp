// SPDX-License-Identifier: LGPL-2.1-or-later
#include "zones/zone_transitions.h"

#include <utility>

namespace cltrack {

// Of one that is over the edge on this picture.
bool ZoneTransitions::confirm(const ZonesConfig& config, const ZoneSight& sight, bool is_beyond) {
  if (!std::exchange(is_over_, true)) {
    since_ = sight.now;
    since_box_ = sight.box;
    confirmed_ = 0;
  }
  if (!is_beyond || !sight.is_trusted) return false;
  ++confirmed_;
  if (confirmed_ < config.confirm_frames) return false;
  if (sight.now.clock - since_.clock < config.confirm_time) return false;
  is_over_ = false;
  return true;
}

int ZoneTransitions::observe_area(const ZoneShape& shape, const ZonesConfig& config,
                                  const ZoneSight& sight) {
  if (shape.contains(sight.anchor) == is_inside_) {
    is_over_ = false;
    return 0;
  }
  if (!confirm(config, sight, !shape.is_near(sight.anchor, sight.margin))) return 0;
  is_inside_ = !is_inside_;
  if (!is_inside_) return -1;
  entered_ = since_;
  has_dwelt_ = false;
  return 1;
}

int ZoneTransitions::observe_line(const ZoneShape& shape, const ZonesConfig& config,
                                  const ZoneSight& sight) {
  // The way from where it was for certain: whatever it did near the line, and round its ends, is of
  // no concern.
  const int crossings = has_place_ ? shape.crossings(place_, sight.anchor) : 0;
  if (crossings == 0) is_over_ = false;
  if (crossings == 0 && !sight.is_trusted) return 0;
  const bool is_beyond = !shape.is_near(sight.anchor, sight.margin);
  if (crossings != 0 && !confirm(config, sight, is_beyond)) return 0;
  if (!is_beyond) return 0;
  place_ = sight.anchor;
  has_place_ = true;
  return crossings > 0 ? 1 : crossings < 0 ? -1 : 0;
}

bool ZoneTransitions::has_dwelt(std::int64_t time, const ZoneInstant& now) {
  if (!is_inside_ || is_over_ || has_dwelt_ || now.clock - entered_.clock < time) return false;
  has_dwelt_ = true;
  return true;
}

void ZoneTransitions::cut() {
  has_place_ = false;
  is_over_ = false;
}

void ZoneTransitions::rescale(float x_factor, float y_factor) {
  place_ = {place_.x * x_factor, place_.y * y_factor};
  since_box_ = {since_box_.x * x_factor, since_box_.y * y_factor, since_box_.width * x_factor,
                since_box_.height * y_factor};
}

}  // namespace cltrack
