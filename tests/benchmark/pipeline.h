// SPDX-License-Identifier: LGPL-2.1-or-later
// A pipeline around one element that is timed: buffers at hand ! element ! fakesink.
#pragma once

#include <gst/gst.h>

#include <span>
#include <string>

#include "core/bounding_box.h"

namespace cltrack::accuracy {

// Pushes the buffers, each as a buffer of its own that shares its memory, and returns the seconds
// from the first push to the end of the stream. The element is one with the properties of
// `cvtracker`; `properties` are more of them in gst-launch syntax.
// Throws Error{failed} if there is no such element, or the pipeline fails.
double time_pipeline(const std::string& element, const std::string& properties,
                     const BoundingBox& box, GstCaps* caps, std::span<GstBuffer* const> buffers);

// Whether GStreamer knows the element.
bool element_exists(const std::string& element);

}  // namespace cltrack::accuracy
