// SPDX-License-Identifier: LGPL-2.1-or-later
// What of GstAnalytics lies on a buffer, read and written by its own functions.
#pragma once

#include <gst/analytics/analytics.h>

#include <string>
#include <vector>

#include "cltrack/bounding_box.h"

namespace cltrack::test {

// An ODMtd.
struct ObjectMtd {
  guint id = 0;
  std::string type;
  BoundingBox box;
  float confidence = 0;
};

// A TrackingMtd.
struct TrackingMtd {
  guint64 id = 0;  // of the track
  GstClockTime first = 0, last = 0;
  bool is_lost = false;
  std::vector<guint> objects;  // the ODMtds that RELATE_TO it
};

std::vector<ObjectMtd> object_mtds(GstBuffer* buffer);
std::vector<TrackingMtd> tracking_mtds(GstBuffer* buffer);

// Returns the id of the ODMtd. Without a `type` it has none.
guint add_object(GstBuffer* buffer, const BoundingBox& box, const char* type,
                 float confidence = 0.9f);
// A TrackingMtd that is related to that ODMtd.
void add_tracking(GstBuffer* buffer, guint object, guint64 id, bool is_lost = false);
// Classes and their likelihoods, of that ODMtd.
void add_classes(GstBuffer* buffer, guint object, std::vector<const char*> classes,
                 std::vector<float> levels);

}  // namespace cltrack::test
