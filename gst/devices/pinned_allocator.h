// SPDX-License-Identifier: LGPL-2.1-or-later
// Allocation: whose memory pictures are written to, and pinned memory that devices read fast.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

#include <optional>

#include "cltrack/device_info.h"
#include "cltrack/tracker_devices.h"

namespace cltrack::gst {

// Adds a pool of pinned memory, which upstream elements can write into and the device can read fast
// (ordinary memory if the driver has none), to an allocation query whose caps are raw video. If
// others have offered ordinary pools, these are to be filled with such memory; pools and allocators
// with memory of their own stay alone. Returns whether it has.
bool offer_pinned_memory(GstQuery* query, const DeviceInfo& device);

// The tracking elements allocate nothing.
//
// Buffers pass as they are, so it is downstream that says what may be allocated, as if the element
// were not here: a promise to take any strides (GstVideoMeta) is only as good as theirs. Offers
// pinned memory of the devices, or else of `later_device`, too. `devices` may be null. May throw.
gboolean propose_allocation(GstBaseTransform* element, const TrackerDevices* devices,
                            const std::optional<DeviceInfo>& later_device, GstQuery* query);

// No pool of downstream is taken either.
gboolean decide_allocation(GstBaseTransform* element, GstQuery* query);

}  // namespace cltrack::gst
