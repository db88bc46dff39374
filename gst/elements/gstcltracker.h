// SPDX-License-Identifier: LGPL-2.1-or-later
// The element cltracker: tracks objects given as boxes.
#pragma once

#include "elements/gstcltrackerbase.h"

G_BEGIN_DECLS

#define GST_TYPE_CL_TRACKER (gst_cl_tracker_get_type())
G_DECLARE_FINAL_TYPE(GstClTracker, gst_cl_tracker, GST, CL_TRACKER, GstClTrackerBase)

GST_ELEMENT_REGISTER_DECLARE(cltracker)

G_END_DECLS
