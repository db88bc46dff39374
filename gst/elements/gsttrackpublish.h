// SPDX-License-Identifier: LGPL-2.1-or-later
// The element trackpublish: results of trackers and detectors leave the program as JSON.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TRACK_PUBLISH (gst_track_publish_get_type())
G_DECLARE_FINAL_TYPE(GstTrackPublish, gst_track_publish, GST, TRACK_PUBLISH, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE(trackpublish)

G_END_DECLS
