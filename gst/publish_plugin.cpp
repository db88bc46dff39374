// SPDX-License-Identifier: LGPL-2.1-or-later
// The plugin "cltrackpublish": one of its own, so that the trackers do not need what it needs.
#include "config.h"

#include <gst/gst.h>

#include "elements/gsttrackpublish.h"

namespace {

gboolean plugin_init(GstPlugin* plugin) { return GST_ELEMENT_REGISTER(trackpublish, plugin); }

}  // namespace

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, cltrackpublish,
                  "Publishes tracked objects as JSON to files and MQTT brokers", plugin_init,
                  VERSION, GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
