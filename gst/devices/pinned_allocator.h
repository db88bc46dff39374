// SPDX-License-Identifier: LGPL-2.1-or-later
// Allocation: whose memory pictures are written to, and pinned memory that devices read fast.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

#include "cltrack/device_info.h"
#include "cltrack/tracker_devices.h"

namespace cltrack::gst {

// A GstAllocator of pinned memory, which upstream elements can write into and a device can read
// fast. If the driver has none, it allocates ordinary memory.

// The caller owns it; its memory holds it, and the device open, for as long as that is used.
GstAllocator* make_pinned_allocator(const DeviceInfo& device);

// Adds a pool of such memory to an allocation query whose caps are raw video, if nobody has offered
// a pool or an allocator yet. Returns whether it has.
bool offer_pinned_memory(GstQuery* query, const DeviceInfo& device);

// Whose memory pictures are written to. The tracking elements allocate nothing.

// Buffers pass as they are, so it is downstream that says what may be allocated, as if the element
// were not here: a promise to take any strides (GstVideoMeta) is only as good as theirs. Offers
// pinned memory of the devices, too. `devices` may be null. May throw.
gboolean propose_allocation(GstBaseTransform* element, const TrackerDevices* devices,
                            GstQuery* query);

// No pool of downstream is taken either.
gboolean decide_allocation(GstBaseTransform* element, GstQuery* query);

}  // namespace cltrack::gst
