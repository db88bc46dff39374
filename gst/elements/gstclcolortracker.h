// SPDX-License-Identifier: LGPL-2.1-or-later
// The element clcolortracker: tracks objects by their colour.
#pragma once

#include "elements/gstcltrackerbase.h"

G_BEGIN_DECLS

#define GST_TYPE_CL_COLOR_TRACKER (gst_cl_color_tracker_get_type())
G_DECLARE_FINAL_TYPE(GstClColorTracker, gst_cl_color_tracker, GST, CL_COLOR_TRACKER,
                     GstClTrackerBase)

GST_ELEMENT_REGISTER_DECLARE(clcolortracker)

G_END_DECLS
