// SPDX-License-Identifier: LGPL-2.1-or-later
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
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cltrack/track.h"
#include "metadata/track_history.h"

namespace cltrack::gst {

// Whether this build knows GstAnalytics.
bool has_analytics();

// Which ODMtd a track has: its id within the buffer, by the id of the track.
using ObjectIds = std::map<std::uint64_t, unsigned>;

// `detected`: ODMtds of upstream that have confirmed tracks, which get none of their own. Returns
// all of them. `buffer` must be writable; nothing of it is mapped.
ObjectIds write_analytics(GstBuffer* buffer, std::span<const Track> tracks,
                          const TrackHistory& history, int frame_width, int frame_height,
                          const ObjectIds& detected = {});

// An ODMtd as another element left it, ours or not.
struct AnalyticsObject {
  unsigned id = 0;    // within the buffer
  std::string label;  // its type, or else its likeliest class; may be empty, and any bytes
  BoundingBox box;    // pixels; of a rotated one the upright box around it
  float confidence = 1;
  std::optional<std::uint64_t> track = {};  // the id of the TrackingMtd that is related to it
  bool is_lost = false;                     // as that says
};

// All of `buffer`, in the order in which they were added.
std::vector<AnalyticsObject> read_objects(GstBuffer* buffer);

// The ODMtds of a buffer, each of which is of one region at most: elements may write one object as
// a region and as an ODMtd. Labels are valid UTF-8.
class UnclaimedObjects {
 public:
  explicit UnclaimedObjects(GstBuffer* buffer);

  // The one that a region is of. Elements of DL Streamer write its id into the region; others leave
  // 0 there, or what they like.
  std::optional<AnalyticsObject> take(int id, const std::string& label, const BoundingBox& box);
  const std::list<AnalyticsObject>& left() const { return objects_; }

 private:
  std::list<AnalyticsObject> objects_;
};

}  // namespace cltrack::gst
