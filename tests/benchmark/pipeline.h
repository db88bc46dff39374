// SPDX-License-Identifier: LGPL-2.1-or-later
// A pipeline around one element that is timed: buffers at hand ! element ! fakesink.
#pragma once

#include <gst/gst.h>

#include <chrono>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"

namespace cltrack::accuracy {

struct PipelineRun {
  double seconds = 0;            // from the first push to the end of the stream
  std::vector<double> frame_ms;  // from the element's sink pad to its source pad, for each frame
  std::vector<std::chrono::steady_clock::time_point> frame_ends;  // when it had left
  std::string placement;  // the element's property of that name at the end, if it has one
  // Sums over the stages of the element's statistics, by name of the field: what was moved up and
  // down, waits and so on, as far as it is told.
  std::map<std::string, double> sums;
};

// Where pictures lie: where they are already, or in the memory that the element offers, into which
// they are copied before their time counts.
enum class PictureMemory { own, offered };

// Pushes the buffers, each as a buffer of its own, 40 ms apart. The element is one with the
// properties of `cvtracker`; `properties` are more of them in gst-launch syntax. Throws
// Error{failed} if there is no such element, if it offers no memory that is wanted, or if the
// pipeline fails.
PipelineRun run_pipeline(const std::string& element, const std::string& properties,
                         const BoundingBox& box, GstCaps* caps, std::span<GstBuffer* const> buffers,
                         PictureMemory memory = PictureMemory::own);

// Whether GStreamer knows the element, and that has the property.
bool element_has(const std::string& element, const std::string& property);

}  // namespace cltrack::accuracy
