// SPDX-License-Identifier: LGPL-2.1-or-later
// What a detector before the element has found on a picture, and what is done with it.
#pragma once

#include <gst/video/gstvideometa.h>

#include <optional>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"

namespace cltrack::gst {

// A region of interest, an ODMtd of GstAnalytics, or both of one object.
struct Detection {
  BoundingBox box;                               // pixels
  std::string label;                             // the region's type, or the ODMtd's
  float confidence = 1;                          // 1 if the detector says nothing of it
  GstVideoRegionOfInterestMeta* meta = nullptr;  // as long as the buffer
  std::optional<unsigned> object = {};           // the id of the ODMtd
};

enum class DetectionUse {
  ignore,
  start,              // a detection that is on no track starts one
  start_and_correct,  // and puts tracks where they are detected
  when_lost,          // and lost tracks alone
};

struct DetectionSettings {
  DetectionUse use = DetectionUse::ignore;
  std::vector<std::string> types;         // labels that count; empty: all
  float least_confidence = 0;             // of those that count
  GstClockTime timeout = 5 * GST_SECOND;  // 0: never
};

// The detections of `buffer` that count: those that no tracker has written.
std::vector<Detection> read_detections(GstBuffer* buffer, const DetectionSettings& settings);

}  // namespace cltrack::gst
