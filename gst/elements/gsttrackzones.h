// SPDX-License-Identifier: LGPL-2.1-or-later
// The element trackzones: counts tracks in areas and over lines.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TRACK_ZONES (gst_track_zones_get_type())
G_DECLARE_FINAL_TYPE(GstTrackZones, gst_track_zones, GST, TRACK_ZONES, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE(trackzones)

G_END_DECLS
