// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/tracker_queries.h"

#include "devices/device_context.h"
#include "elements/tracker_events.h"
#include "stream/effort_policy.h"

namespace cltrack::gst {

gboolean answer_query(GstBaseTransform* element, GstPadDirection direction, GstQuery* query,
                      const TargetControl& control, GstClockTime max_latency,
                      QueryFunction others) {
  if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT &&
      answer_context_query(GST_ELEMENT(element), query)) {
    return TRUE;
  }
  if (GST_QUERY_TYPE(query) == GST_QUERY_CUSTOM) {
    answer_owner_query(GST_ELEMENT(element), control, query);
  }
  const gboolean answered = others(element, direction, query);
  if (answered && direction == GST_PAD_SRC && GST_QUERY_TYPE(query) == GST_QUERY_LATENCY) {
    add_latency(query, max_latency);
  }
  return answered;
}

void post_new_latency(GstElement* element) {
  gst_element_post_message(element, gst_message_new_latency(GST_OBJECT(element)));
}

}  // namespace cltrack::gst
