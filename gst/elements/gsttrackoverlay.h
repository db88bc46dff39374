// SPDX-License-Identifier: LGPL-2.1-or-later
// The element trackoverlay: draws the results of trackers and detectors.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TRACK_OVERLAY (gst_track_overlay_get_type())
G_DECLARE_FINAL_TYPE(GstTrackOverlay, gst_track_overlay, GST, TRACK_OVERLAY, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE(trackoverlay)

G_END_DECLS
