// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/target_messages.h"

#include <variant>

namespace cltrack::gst {
namespace {

void set_request(GstStructure* structure, const RequestNumber& request) {
  if (const auto* integer = std::get_if<std::int64_t>(&request)) {
    gst_structure_set(structure, "request", G_TYPE_INT64, static_cast<gint64>(*integer), nullptr);
  } else if (const auto* natural = std::get_if<std::uint64_t>(&request)) {
    gst_structure_set(structure, "request", G_TYPE_UINT64, static_cast<guint64>(*natural), nullptr);
  } else if (const auto* number = std::get_if<double>(&request)) {
    gst_structure_set(structure, "request", G_TYPE_DOUBLE, *number, nullptr);
  }
}

}  // namespace

void post_change(GstElement* element, const TargetChange& change, const BufferTimes& times) {
  GstStructure* structure = gst_structure_new(
      "cltracker-target", "action", G_TYPE_STRING, to_string(change.action), "id", G_TYPE_UINT64,
      static_cast<guint64>(change.id), "label", G_TYPE_STRING, change.label.c_str(), "source",
      G_TYPE_STRING, to_string(change.asker.source), "reason", G_TYPE_STRING, change.reason.c_str(),
      nullptr);
  set_request(structure, change.asker.request);
  set_times(structure, times);
  gst_element_post_message(element, gst_message_new_element(GST_OBJECT(element), structure));
}

}  // namespace cltrack::gst
