// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/tracker_events.h"

#include "elements/control_event.h"
#include "elements/guard.h"
#include "elements/navigation_event.h"

namespace cltrack::gst {

std::optional<bool> TrackerEvents::take(GstElement* element, GstPad* onward, GstEvent* event,
                                        bool navigation) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_NAVIGATION) {
    return take_control_event(element, control_, onward, event);
  }
  if (!navigation) {
    // A drag does not go on when it is switched on again.
    return guard(element, std::optional<bool>(), [&] {
      input_.reset();
      return std::optional<bool>();
    });
  }
  return take_navigation_event(element, control_, stream_.latest(), input_, event);
}

bool TrackerEvents::take_upstream(GstBaseTransform* element, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_LATENCY) stream_.time().ask_again();
  if (GST_EVENT_TYPE(event) != GST_EVENT_QOS || !gst_base_transform_is_qos_enabled(element)) {
    return false;
  }
  stream_.time().see_qos(event);
  gst_pad_push_event(GST_BASE_TRANSFORM_SINK_PAD(element), event);
  return true;
}

void TrackerEvents::see(GstElement* element, GstEvent* event) {
  guard(element, [&] {
    if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START) stream_.request_stop();
    if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) {
      stream_.allow();
      stream_.time().forget_sink();
    }
    stream_.see_event(event);
  });
}

}  // namespace cltrack::gst
