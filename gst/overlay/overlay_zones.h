// SPDX-License-Identifier: LGPL-2.1-or-later
// What trackoverlay shows of zones: their edges, which way is forward over a line, names and
// counts.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "cltrack/track.h"
#include "cltrack/zones.h"
#include "metadata/zone_meta.h"
#include "overlay/overlay_trail.h"

namespace cltrack::gst {

struct ZoneMark {
  std::vector<TrackPoint> outline;  // pixels; the last point of an area is its first one
  bool has_arrow = false;           // of a line
  std::string text = {};  // "till 4", and of a line how many forward and back: "door +3 -2"
};

class ZoneMarks {
 public:
  // Of all zones that elements upstream have written, on a picture of this size.
  std::vector<ZoneMark> of(std::span<const ZoneNews> news, int width, int height);

 private:
  static constexpr std::size_t kMostTexts = 16;

  // As it was read from the JSON of an element, which is seldom another one.
  std::map<std::string, std::vector<Zone>> zones_;
};

// From the middle of the line to where forward is.
std::vector<TrailStroke> zone_arrow(std::span<const TrackPoint> line, int line_width);

}  // namespace cltrack::gst
