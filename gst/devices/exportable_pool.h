// SPDX-License-Identifier: LGPL-2.1-or-later
// Asks decoders for CUDA memory that can be exported, so that OpenCL can import it.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

#include <optional>
#include <string>

#include "cltrack/tracker_devices.h"

namespace cltrack::gst {

// The device of a tracker that has a UUID, if it imports opaque descriptors. `auto` may choose any;
// else one of the stages must be on it. Nothing, with the reason, if there is none. May throw.
std::optional<DeviceInfo> importing_device(const TrackerDevices& devices, const std::string& uuid,
                                           std::string& reason);

// A pool of CUDA memory that can be exported, which the caller owns; null if CUDA has none.
GstBufferPool* new_exportable_pool(GstObject* context, GstCaps* caps, guint size, guint min);

// Says in an allocation query that any strides and offsets are taken (GstVideoMeta), as those have
// to who take pictures in a device's memory.
void promise_video_meta(GstQuery* query);

// Puts a pool of exportable CUDA memory before those that an allocation query with CUDA memory has:
// the first one is taken. Keeps what downstream needs. Does nothing if nobody would import it.
// Returns whether it has. May throw.
bool offer_exportable_memory(GstBaseTransform* element, const TrackerDevices& devices,
                             GstQuery* query);

}  // namespace cltrack::gst
