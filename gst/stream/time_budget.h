// SPDX-License-Identifier: LGPL-2.1-or-later
// The time that a picture has: by `max-latency`, on the pipeline's clock, and by what the sink says
// in QoS events. Chooses its work and posts messages of what could not be done.
//
// Threading: the streaming thread, or the one that starts and stops it; see_qos(), forget_sink(),
// ask_again() and counts() on any.
#pragma once

#include <gst/base/gstbasetransform.h>

#include <mutex>
#include <optional>

#include "metadata/buffer_times.h"
#include "metadata/look.h"
#include "metadata/qos_messages.h"
#include "stream/effort_policy.h"
#include "stream/upstream_latency.h"

namespace cltrack::gst {

class TimeBudget {
 public:
  // Before a picture. `max_latency`: how long after its time, and after upstream's latency, a live
  // picture may leave the element; 0: any time. No lock of the element may be held.
  Look begin(GstBaseTransform* element, const BufferTimes& times, GstClockTime max_latency);
  // After it. `counts`: the picture was given to a tracker, or left out.
  void end(GstBaseTransform* element, const BufferTimes& times, Look look, bool counts);

  // A QoS event of the sink: later pictures up to that time will be late as well.
  void see_qos(GstEvent* event);
  void forget_sink();  // what it said
  // Upstream's latency may have changed.
  void ask_again() { latency_.ask_again(); }

  // Since forget_counts().
  LookCounts counts() const;
  void forget_counts();

  // At the stop.
  void reset();

 private:
  // Of the pipeline's clock, or GST_CLOCK_TIME_NONE without one.
  static GstClockTime now(GstElement* element);
  bool is_late_later(GstBaseTransform* element, const BufferTimes& times) const;

  UpstreamLatency latency_;
  EffortPolicy policy_;
  QosMessages messages_;
  Look before_ = Look::full;
  // Of the picture that has begun: where it has a limit, its deadline, and when it came, as running
  // times.
  std::optional<GstClockTimeDiff> deadline_;
  GstClockTime came_ = GST_CLOCK_TIME_NONE;

  mutable std::mutex mutex_;
  LookCounts counts_;
  GstClockTime late_until_ = GST_CLOCK_TIME_NONE;  // running time
};

}  // namespace cltrack::gst
