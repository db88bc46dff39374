// SPDX-License-Identifier: LGPL-2.1-or-later
// OpenCL devices as a GstContext of the type "gst.cltrack.devices", which elements find the way
// they find any other: one that was set, a neighbour's, the application's, or one of their own that
// others then get. Whoever holds the context keeps the devices open and their programs built.
#pragma once

#include <gst/gst.h>

#include <memory>

#include "compute/device_keeper.h"

namespace cltrack::gst {

inline constexpr const char* kDeviceContext = "gst.cltrack.devices";

// The devices of the element's context, which it has afterwards in any case. Posts messages and
// queries neighbours: no lock may be held.
std::shared_ptr<DeviceKeeper> ensure_device_context(GstElement* element);

// Answers a query for the context if it is of that type and the element has one.
bool answer_context_query(GstElement* element, GstQuery* query);

}  // namespace cltrack::gst
