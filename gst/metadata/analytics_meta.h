// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks as GstAnalytics metadata, with the times at which they were seen.
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cltrack/track.h"

namespace cltrack::gst {

// When each track was seen first and last, in running time.
//
// Threading: the streaming thread.

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

// The one place that knows GstAnalytics (GStreamer 1.24 or newer): how tracks are written on
// buffers as analytics metas, and how those of detectors are read. In a build without it nothing is
// written, and there is nothing to read.
//
// Written for every track, beside its region (track_meta.h), in the buffer's
// GstAnalyticsRelationMeta:
//   TrackingMtd  id, when it was first and last seen (running time), whether it is lost
//   ODMtd        for a track with a box: type = label ("object" if it is empty), the box clamped to
//                the frame, confidence; it RELATE_TO the TrackingMtd
// A detection of upstream stands for the ODMtd of the track that it has confirmed. Without any
// track there is an empty GstAnalyticsRelationMeta: objectdetectionoverlay draws the boxes of the
// buffer before on those that have none.

// Whether this build knows GstAnalytics.
bool has_analytics();

// Which ODMtd a track has: its id within the buffer, by the id of the track.
using ObjectIds = std::map<std::uint64_t, unsigned>;

// `detected`: ODMtds of upstream that have confirmed tracks, which get none of their own. Returns
// all of them. `buffer` must be writable; nothing of it is mapped.
ObjectIds write_analytics(GstBuffer* buffer, std::span<const Track> tracks, const TrackTimes& times,
                          int frame_width, int frame_height, const ObjectIds& detected = {});

// An ODMtd as another element left it, ours or not.
struct AnalyticsObject {
  unsigned id = 0;    // within the buffer
  std::string label;  // its type, or else its likeliest class; may be empty, and any bytes
  BoundingBox box;    // pixels; of a rotated one the upright box around it
  float confidence = 1;
  bool is_tracked = false;  // a TrackingMtd is related to it
};

// All of `buffer`, in the order in which they were added.
std::vector<AnalyticsObject> read_objects(GstBuffer* buffer);

}  // namespace cltrack::gst
