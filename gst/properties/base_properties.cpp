// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/base_properties.h"

#include "properties/property_text.h"

namespace cltrack::gst {
namespace {

constexpr GstClockTime kMostLatency = 60 * 60 * GST_SECOND;

GType state_reports_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(StateReports::none), "No messages", "none"},
      {static_cast<int>(StateReports::on_change), "When the state of a target changes",
       "on-change"},
      {static_cast<int>(StateReports::every_frame), "For each target and picture", "every-frame"},
      {0, nullptr, nullptr}};
  static const GType type = register_enum("GstClTrackerMessages", values);
  return type;
}

GType region_ids_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(RegionIdKind::track), "Id of the track", "track"},
      {static_cast<int>(RegionIdKind::detection), "Id of the object detection meta of the track",
       "detection"},
      {0, nullptr, nullptr}};
  static const GType type = register_enum("GstClTrackerRoiId", values);
  return type;
}

}  // namespace

bool BaseSettings::set(guint id, const GValue* value) {
  if (id == kDrawRect) {
    draw_rect = g_value_get_boolean(value);
  } else if (id == kMessages) {
    reports = static_cast<StateReports>(g_value_get_enum(value));
  } else if (id == kNavigation) {
    navigation = g_value_get_boolean(value);
  } else if (id == kRegionIds) {
    region_ids = static_cast<RegionIdKind>(g_value_get_enum(value));
  } else if (id == kMaxLatency) {
    max_latency = g_value_get_uint64(value);
  } else {
    return false;
  }
  return true;
}

bool BaseSettings::get(guint id, GValue* value) const {
  if (id == kDrawRect) {
    g_value_set_boolean(value, draw_rect);
  } else if (id == kMessages) {
    g_value_set_enum(value, static_cast<int>(reports));
  } else if (id == kNavigation) {
    g_value_set_boolean(value, navigation);
  } else if (id == kRegionIds) {
    g_value_set_enum(value, static_cast<int>(region_ids));
  } else if (id == kMaxLatency) {
    g_value_set_uint64(value, max_latency);
  } else {
    return false;
  }
  return true;
}

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
   * A structure "cltracker-stats": `frames` (#guint64) that were looked at; of these,
   * `frames-full`, `frames-near` and `frames-motion` by the work that there was time for, and
   * `frames-skipped` (#guint64) that were not looked at (max-latency); `stages`, an array of
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
  /**
   * GstClTrackerBase:messages:
   *
   * Which messages `cltracker-state` are posted: `none`, one when a target changes its state
   * (`on-change`), or one for each target and picture (`every-frame`). Answers to what was asked
   * for (`cltracker-target`) are always posted.
   */
  g_object_class_install_property(
      klass, kMessages,
      g_param_spec_enum("messages", "Messages",
                        "When a message tells the state of a target; may be changed at any time, "
                        "takes effect on the next buffer",
                        state_reports_type(), static_cast<int>(StateReports::on_change),
                        static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                 GST_PARAM_MUTABLE_PLAYING)));
  /**
   * GstClTrackerBase:navigation:
   *
   * Let the mouse or a finger in the window of a video sink say what to track, by navigation
   * events: a dragged box becomes a target, a click within 8 pixels chooses the track under it (a
   * message `cltracker-target` says which), the right button removes it, Escape cancels a drag.
   * What acts is not passed on.
   */
  g_object_class_install_property(
      klass, kNavigation,
      g_param_spec_boolean("navigation", "Navigation",
                           "Add targets by dragging a box in the window of a video sink, choose "
                           "them by a click, remove them by a right click; may be changed at any "
                           "time",
                           FALSE,
                           static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                    GST_PARAM_MUTABLE_PLAYING)));
  /**
   * GstClTrackerBase:roi-id:
   *
   * The `id` of the regions that the element writes: that of the `track`, or that of its object
   * `detection` meta (GstAnalytics) on the same buffer, by which DL Streamer finds the one to the
   * other. The param `cltrack` has the track's id in any case. In a build without GstAnalytics it
   * is always the track's.
   */
  g_object_class_install_property(
      klass, kRegionIds,
      g_param_spec_enum("roi-id", "Region id",
                        "What the id of a region of interest is: that of its track, or that of its "
                        "object detection meta, as DL Streamer has it; may be changed at any time, "
                        "takes effect on the next buffer",
                        region_ids_type(), static_cast<int>(RegionIdKind::track),
                        static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                 GST_PARAM_MUTABLE_PLAYING)));
  /**
   * GstClTrackerBase:max-latency:
   *
   * How late a picture of a live source may leave the element, on the pipeline's clock, after its
   * time and upstream's latency. When there is less time than all the work takes, there is less
   * work: the detector looks near the targets alone, then motion alone carries the boxes, then
   * pictures pass without being looked at, and without boxes. QoS messages tell it. The element
   * adds this to the pipeline's latency, so that sinks wait for it.
   */
  g_object_class_install_property(
      klass, kMaxLatency,
      g_param_spec_uint64(
          "max-latency", "Maximum latency",
          "How late a picture of a live source may leave the element, ns: with less "
          "time there is less work on it; 0: as late as it gets; may be changed at "
          "any time",
          0, kMostLatency, 0,
          static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                   GST_PARAM_MUTABLE_PLAYING)));
}

}  // namespace cltrack::gst
