// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/removed_event.h"

namespace cltrack::gst {
namespace {

constexpr const char* kName = "cltrack-removed";

}  // namespace

GstEvent* make_removed_event(const std::string& tracker, std::uint64_t id,
                             const std::string& label) {
  return gst_event_new_custom(
      GST_EVENT_CUSTOM_DOWNSTREAM,
      gst_structure_new(kName, "tracker", G_TYPE_STRING, tracker.c_str(), "id", G_TYPE_UINT64,
                        static_cast<guint64>(id), "label", G_TYPE_STRING, label_or_default(label),
                        nullptr));
}

std::optional<RemovedTrack> parse_removed_event(GstEvent* event) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_CUSTOM_DOWNSTREAM || !gst_event_has_name(event, kName)) {
    return std::nullopt;
  }
  const GstStructure* structure = gst_event_get_structure(event);
  guint64 id = 0;
  const char* tracker = gst_structure_get_string(structure, "tracker");
  const char* label = gst_structure_get_string(structure, "label");
  if (tracker == nullptr || label == nullptr || !gst_structure_get_uint64(structure, "id", &id)) {
    return std::nullopt;
  }
  return RemovedTrack{{tracker, region_id(id)}, {"", region_id(id), label}};
}

}  // namespace cltrack::gst
