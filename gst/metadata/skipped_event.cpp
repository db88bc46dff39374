// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/skipped_event.h"

namespace cltrack::gst {
namespace {

constexpr const char* kName = "cltrack-skipped";

}  // namespace

GstEvent* make_skipped_event() {
  return gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty(kName));
}

bool is_skipped_event(GstEvent* event) {
  return GST_EVENT_TYPE(event) == GST_EVENT_CUSTOM_DOWNSTREAM && gst_event_has_name(event, kName);
}

}  // namespace cltrack::gst
