// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/qos_messages.h"

#include <array>

namespace cltrack::gst {

void QosMessages::post(GstElement* element, const BufferTimes& times, GstClockTimeDiff late,
                       Look look, const LookCounts& counts, bool is_live) {
  const GstClockTime time = times.running_time;
  if (GST_CLOCK_TIME_IS_VALID(time) && GST_CLOCK_TIME_IS_VALID(latest_) && time >= latest_ &&
      time - latest_ < kBetween) {
    return;
  }
  latest_ = time;
  constexpr std::array<gint, kLooks> kQualities = {1000000, 700000, 400000, 0};
  GstMessage* message = gst_message_new_qos(GST_OBJECT(element), is_live, time, times.stream_time,
                                            times.timestamp, times.duration);
  gst_message_set_qos_values(message, late, 1.0, kQualities[static_cast<std::size_t>(look)]);
  gst_message_set_qos_stats(message, GST_FORMAT_BUFFERS, counts.processed(), counts.skipped());
  gst_element_post_message(element, message);
}

}  // namespace cltrack::gst
