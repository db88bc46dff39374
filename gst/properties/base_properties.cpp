// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/base_properties.h"

namespace cltrack::gst {

void install_base_properties(GObjectClass* klass) {
  /**
   * GstClTrackerBase:draw-rect:
   *
   * Draw a red rectangle around each target, into the picture itself. Drawing is better left to
   * trackoverlay, which knows labels and colours; this is for lines written for cvtracker.
   */
  g_object_class_install_property(
      klass, kDrawRect,
      g_param_spec_boolean("draw-rect", "Draw rectangle",
                           "Draw a rectangle around each target into the picture; may be changed "
                           "at any time, takes effect on the next buffer",
                           FALSE,
                           static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                    GST_PARAM_MUTABLE_PLAYING)));
  /**
   * GstClTrackerBase:stats:
   *
   * A structure "cltracker-stats": `frames` (#guint64) that were looked at; `stages`, an array of
   * structures with `name`, `device` (strings), `calls` (#guint64), `total-ms`, `median-ms`,
   * `p99-ms` (#gdouble), `bytes-up`, `bytes-down` and `waits` (#guint64); `targets`, an array of
   * structures with `id`, `windows` (evaluated per frame), `positive-patches` and
   * `negative-patches` (#guint64). Of the stream that is running, or else of the latest one.
   */
  g_object_class_install_property(
      klass, kStats,
      g_param_spec_boxed("stats", "Statistics",
                         "Frames, time and transfers of each stage, size of each target's model",
                         GST_TYPE_STRUCTURE,
                         static_cast<GParamFlags>(G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)));
}

}  // namespace cltrack::gst
