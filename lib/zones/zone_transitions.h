// SPDX-License-Identifier: LGPL-2.1-or-later
// The transitions of one track: into one area and out of it, or over one line. There is one when
// the track has been beyond the edge by a margin, on some pictures, with a box that is trusted; it
// was on the first picture on which the track was over the edge for good.
#pragma once

#include <cstdint>

#include "zones/zone_shape.h"

namespace cltrack {

// A time, as the caller gave it, and on a clock that never steps back (ns).
struct ZoneInstant {
  std::int64_t given = kNoTimestamp;
  std::int64_t clock = 0;
};

// A track on a picture.
struct ZoneSight {
  ZoneInstant now;
  PicturePoint anchor;
  BoundingBox box;
  float margin = 0;  // pixels
  bool is_trusted = false;
};

class ZoneTransitions {
 public:
  // Says whether the track has entered (1) or left (-1) the area for good.
  int observe_area(const ZoneShape& shape, const ZonesConfig& config, const ZoneSight& sight);
  // Says whether the track has crossed the line for good, forward (1) or backward (-1).
  int observe_line(const ZoneShape& shape, const ZonesConfig& config, const ZoneSight& sight);

  // When, and where, what observe_area() or observe_line() has said was.
  const ZoneInstant& since() const { return since_; }
  const BoundingBox& since_box() const { return since_box_; }

  bool is_inside() const { return is_inside_; }
  const ZoneInstant& entered() const { return entered_; }  // of one that is inside
  // Once in a stay: whether it has lasted for that long, and goes on.
  bool has_dwelt(std::int64_t time, const ZoneInstant& now);

  // The next picture shows another place or time, or the zone is another one.
  void cut();
  void rescale(float x_factor, float y_factor);

 private:
  bool confirm(const ZonesConfig& config, const ZoneSight& sight, bool is_beyond);

  bool is_inside_ = false;
  bool has_dwelt_ = false;
  bool has_place_ = false;  // of a line: it has been on a side of it
  bool is_over_ = false;    // the edge, and has not been for long enough
  int confirmed_ = 0;       // pictures
  ZoneInstant entered_;
  PicturePoint place_;  // where it was beyond the margin, before
  ZoneInstant since_;
  BoundingBox since_box_;
};

}  // namespace cltrack
