// SPDX-License-Identifier: LGPL-2.1-or-later
// OpenCL devices shared as a GstContext of the type "gst.cltrack.devices". An element takes the
// context that was set, a neighbour's or the application's, or makes one for others to use. The
// context keeps the devices open and their programs built.
#pragma once

#include <gst/gst.h>

#include <memory>
#include <vector>

#include "cltrack/placement.h"
#include "compute/device.h"

namespace cltrack::gst {

inline constexpr const char* kDeviceContext = "gst.cltrack.devices";

// Answers a query for the context if it is of that type and the element has one.
bool answer_context_query(GstElement* element, GstQuery* query);

// Shares the devices through the element's context, so that they outlive it for whoever has that as
// well, and posts what users should know of them. No lock may be held. Throws Error.
void share_devices(GstElement* element, const std::vector<PlacedStage>& stages);

// Where one of the stages would copy pictures, offers memory that its device can fetch them from,
// unless downstream has wishes of its own: pictures pass on as they are. Returns whether it has.
bool offer_pinned_memory(GstQuery* query, const std::vector<PlacedStage>& stages);

}  // namespace cltrack::gst
