// SPDX-License-Identifier: LGPL-2.1-or-later
// The times of a buffer, as messages have them.
#pragma once

#include <gst/gst.h>

namespace cltrack::gst {

// When a buffer is shown; GST_CLOCK_TIME_NONE where not known.
struct BufferTimes {
  GstClockTime timestamp = GST_CLOCK_TIME_NONE;
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;
  GstClockTime running_time = GST_CLOCK_TIME_NONE;
  GstClockTime duration = GST_CLOCK_TIME_NONE;
};

BufferTimes times_of(GstBuffer* buffer, const GstSegment& segment);

// As the fields timestamp, stream-time, running-time and duration (guint64, ns).
void set_times(GstStructure* structure, const BufferTimes& times);

}  // namespace cltrack::gst
