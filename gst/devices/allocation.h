// SPDX-License-Identifier: LGPL-2.1-or-later
// Whose memory pictures are written to. The tracking elements allocate nothing.
#pragma once

#include <gst/base/gstbasetransform.h>

#include "cltrack/tracker_devices.h"

namespace cltrack::gst {

// Buffers pass as they are, so it is downstream that says what may be allocated, as if the element
// were not here: a promise to take any strides (GstVideoMeta) is only as good as theirs. Offers
// pinned memory of the devices, too. `devices` may be null. May throw.
gboolean propose_allocation(GstBaseTransform* element, const TrackerDevices* devices,
                            GstQuery* query);

// No pool of downstream is taken either.
gboolean decide_allocation(GstBaseTransform* element, GstQuery* query);

}  // namespace cltrack::gst
