// SPDX-License-Identifier: LGPL-2.1-or-later
// When each track was seen first and last, in running time.
//
// Threading: the streaming thread.
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <map>
#include <span>

#include "cltrack/track.h"

namespace cltrack::gst {

// GST_CLOCK_TIME_NONE if it was not seen yet, or on pictures without a time alone.
struct SeenTimes {
  GstClockTime first = GST_CLOCK_TIME_NONE;
  GstClockTime last = GST_CLOCK_TIME_NONE;
};

class TrackTimes {
 public:
  // All tracks of a picture; others are forgotten. A lost track is not seen. `running_time` may be
  // GST_CLOCK_TIME_NONE.
  void see(std::span<const Track> tracks, GstClockTime running_time);

  SeenTimes of(std::uint64_t id) const;

  void reset() { *this = {}; }

 private:
  std::map<std::uint64_t, SeenTimes> seen_;
  GstClockTime latest_ = GST_CLOCK_TIME_NONE;
};

}  // namespace cltrack::gst
