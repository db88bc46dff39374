// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/publish_messages.h"

GST_DEBUG_CATEGORY_EXTERN(gst_track_publish_debug);
#define GST_CAT_DEFAULT gst_track_publish_debug

namespace cltrack::gst {
namespace {

void post_dropped(GstElement* element, const PublishReport& report) {
  GST_WARNING_OBJECT(element, "%s: %" G_GUINT64_FORMAT " messages dropped: %s",
                     report.outlet.c_str(), static_cast<guint64>(report.count),
                     report.reason.c_str());
  gst_element_post_message(
      element, gst_message_new_element(
                   GST_OBJECT(element),
                   gst_structure_new("trackpublish-dropped", "dropped", G_TYPE_UINT64,
                                     static_cast<guint64>(report.count), "total", G_TYPE_UINT64,
                                     static_cast<guint64>(report.counts.dropped), "waiting",
                                     G_TYPE_UINT64, static_cast<guint64>(report.counts.waiting),
                                     "reason", G_TYPE_STRING, report.reason.c_str(), nullptr)));
}

const char* name_of(PublishReport::Kind kind) {
  if (kind == PublishReport::Kind::connected) return "connected";
  return kind == PublishReport::Kind::lost ? "lost" : "failed";
}

}  // namespace

void post_report(GstElement* element, const PublishReport& report) {
  if (report.kind == PublishReport::Kind::dropped) {
    post_dropped(element, report);
    return;
  }
  const char* state = name_of(report.kind);
  GST_INFO_OBJECT(element, "%s: %s %s", report.outlet.c_str(), state, report.reason.c_str());
  gst_element_post_message(
      element, gst_message_new_element(
                   GST_OBJECT(element),
                   gst_structure_new("trackpublish-connection", "state", G_TYPE_STRING, state,
                                     "address", G_TYPE_STRING, report.outlet.c_str(), "reason",
                                     G_TYPE_STRING, report.reason.c_str(), "waiting", G_TYPE_UINT64,
                                     static_cast<guint64>(report.counts.waiting), nullptr)));
  if (report.kind == PublishReport::Kind::connected) return;
  GST_ELEMENT_WARNING(element, RESOURCE, OPEN_WRITE,
                      ("%s: %s. The pipeline goes on, and tries again", report.outlet.c_str(),
                       report.reason.c_str()),
                      (nullptr));
}

}  // namespace cltrack::gst
