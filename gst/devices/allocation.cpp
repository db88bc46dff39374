// SPDX-License-Identifier: LGPL-2.1-or-later
#include "devices/allocation.h"

#include "devices/stage_devices.h"

namespace cltrack::gst {

gboolean propose_allocation(GstBaseTransform* element, const TrackerDevices* devices,
                            GstQuery* query) {
  const gboolean answered = gst_pad_peer_query(GST_BASE_TRANSFORM_SRC_PAD(element), query);
  const bool offered = devices != nullptr && offer_pinned_memory(query, devices->stages());
  return offered || answered;
}

gboolean decide_allocation(GstBaseTransform* /*element*/, GstQuery* query) {
  while (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_remove_nth_allocation_pool(query, 0);
  }
  return TRUE;
}

}  // namespace cltrack::gst
