// SPDX-License-Identifier: LGPL-2.1-or-later
// Tells the application, by GStreamer's QoS messages, that there was not time for all the work.
#pragma once

#include <gst/gst.h>

#include "metadata/buffer_times.h"
#include "metadata/look.h"

namespace cltrack::gst {

class QosMessages {
 public:
  // Four messages a second of the stream at most, and none between.
  static constexpr GstClockTime kBetween = 250 * GST_MSECOND;

  // `late`: ns after the time at which the picture had to be done, negative if before. The
  // message's quality is a million for Look::full, and less for less work; its statistics are in
  // buffers: those that were looked at, and those that were not. The caller must hold no lock.
  void post(GstElement* element, const BufferTimes& times, GstClockTimeDiff late, Look look,
            const LookCounts& counts, bool is_live);

  void reset() { latest_ = GST_CLOCK_TIME_NONE; }

 private:
  GstClockTime latest_ = GST_CLOCK_TIME_NONE;  // running time of the latest message
};

}  // namespace cltrack::gst
