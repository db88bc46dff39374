// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/skipped_event.h"

namespace cltrack::gst {
namespace {

constexpr const char* kName = "cltrack-skipped";

}  // namespace

GstEvent* make_skipped_event(const std::string& tracker) {
  return gst_event_new_custom(
      GST_EVENT_CUSTOM_DOWNSTREAM,
      gst_structure_new(kName, "tracker", G_TYPE_STRING, tracker.c_str(), nullptr));
}

std::optional<std::string> parse_skipped_event(GstEvent* event) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_CUSTOM_DOWNSTREAM || !gst_event_has_name(event, kName)) {
    return std::nullopt;
  }
  const char* tracker = gst_structure_get_string(gst_event_get_structure(event), "tracker");
  if (tracker == nullptr) return std::nullopt;
  return tracker;
}

}  // namespace cltrack::gst
