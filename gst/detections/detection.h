// SPDX-License-Identifier: LGPL-2.1-or-later
// What a detector before the element has found on a picture, as it is written in the metadata.
#pragma once

#include <gst/video/gstvideometa.h>

#include <optional>
#include <vector>

#include "cltrack/detection_config.h"
#include "cltrack/detection_tracker.h"

namespace cltrack::gst {

// A region of interest, an ODMtd of GstAnalytics, or both of one object. The label is the region's
// type, or the ODMtd's; the confidence is 1 if the detector says nothing of it.
struct Detection : DetectedObject {
  GstVideoRegionOfInterestMeta* meta = nullptr;  // as long as the buffer
  std::optional<unsigned> object = {};           // the id of the ODMtd
};

// The values of the properties.
struct DetectionSettings : DetectionConfig {
  DetectionSettings() { use = DetectionUse::ignore; }

  int interval = 0;  // frames from one round to the next; 0: learnt
};

// The name of a custom meta (gst_buffer_add_custom_meta()) without fields: the detector has run on
// this buffer, whatever it found. The plugin registers it when it is loaded.
inline constexpr const char* kDetectorRanMeta = "cltrack-detector-ran";
// May be called again.
void register_detector_ran_meta();

// What detectors say of a picture.
struct BufferDetections {
  std::vector<Detection> detections;
  bool is_round = false;  // it is said that the detector has run
};

// The detections of `buffer` that no tracker has written.
BufferDetections read_detections(GstBuffer* buffer);

}  // namespace cltrack::gst
