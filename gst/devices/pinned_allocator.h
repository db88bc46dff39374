// SPDX-License-Identifier: LGPL-2.1-or-later
// A GstAllocator of pinned memory, which upstream elements can write into and a device can read
// fast. If the driver has none, it allocates ordinary memory.
#pragma once

#include <gst/gst.h>

#include "cltrack/device_info.h"

namespace cltrack::gst {

// The caller owns it; its memory holds it, and the device open, for as long as that is used.
GstAllocator* make_pinned_allocator(const DeviceInfo& device);

// Adds a pool of such memory to an allocation query whose caps are raw video, if nobody has offered
// a pool or an allocator yet. Returns whether it has.
bool offer_pinned_memory(GstQuery* query, const DeviceInfo& device);

}  // namespace cltrack::gst
