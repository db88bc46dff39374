// SPDX-License-Identifier: LGPL-2.1-or-later
// Functions of elements for the devices of their stages.
#pragma once

#include <gst/gst.h>

#include <vector>

#include "cltrack/placement.h"

namespace cltrack::gst {

// Shares the devices through the element's context, so that they outlive it for whoever has that as
// well, and posts what users should know of them. No lock may be held. Throws Error.
void share_devices(GstElement* element, const std::vector<PlacedStage>& stages);

// Where one of the stages would copy pictures, offers memory that its device can fetch them from,
// unless downstream has wishes of its own: pictures pass on as they are. Returns whether it has.
bool offer_pinned_memory(GstQuery* query, const std::vector<PlacedStage>& stages);

}  // namespace cltrack::gst
