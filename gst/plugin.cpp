// SPDX-License-Identifier: LGPL-2.1-or-later
// The plugin "cltrack": registers its elements, and writes log messages of the library to
// GStreamer's debug log (category "cltrack").
#include "config.h"

#include <gst/gst.h>

#include <string_view>

#include "core/log.h"
#include "detections/detection.h"
#include "elements/gstclcolortracker.h"
#include "elements/gstcltracker.h"
#include "elements/gsttrackoverlay.h"
#include "elements/gsttrackzones.h"

GST_DEBUG_CATEGORY_STATIC(cltrack_debug);

namespace {

void log_to_gstreamer(cltrack::LogLevel level, std::string_view message) {
  GstDebugLevel gst_level = GST_LEVEL_DEBUG;
  if (level == cltrack::LogLevel::info) gst_level = GST_LEVEL_INFO;
  if (level == cltrack::LogLevel::warning) gst_level = GST_LEVEL_WARNING;
  GST_CAT_LEVEL_LOG(cltrack_debug, gst_level, nullptr, "%.*s", static_cast<int>(message.size()),
                    message.data());
}

gboolean plugin_init(GstPlugin* plugin) {
  // These calls throw nothing; see guard_class() for the classes.
  GST_DEBUG_CATEGORY_INIT(cltrack_debug, "cltrack", 0, "cltrack library");
  cltrack::set_plugin_log_handler(log_to_gstreamer);
  cltrack::gst::register_detector_ran_meta();

  gboolean registered = TRUE;
  registered &= GST_ELEMENT_REGISTER(clcolortracker, plugin);
  registered &= GST_ELEMENT_REGISTER(cltracker, plugin);
  registered &= GST_ELEMENT_REGISTER(trackoverlay, plugin);
  registered &= GST_ELEMENT_REGISTER(trackzones, plugin);
  return registered;
}

}  // namespace

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, cltrack,
                  "Object tracking: TLD, and by colour", plugin_init, VERSION, GST_LICENSE,
                  GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
