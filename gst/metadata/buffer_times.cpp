// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/buffer_times.h"

namespace cltrack::gst {
namespace {

// Whether positions in it have a running time. Played backwards, it is counted from the end of the
// segment; without one GStreamer's answer is a critical warning, which may stop the program.
bool has_running_time(const GstSegment& segment) {
  if (segment.rate > 0) return true;
  return GST_CLOCK_TIME_IS_VALID(segment.stop) && segment.stop >= segment.offset;
}

}  // namespace

BufferTimes times_of(GstBuffer* buffer, const GstSegment& segment) {
  const GstClockTime pts = GST_BUFFER_PTS(buffer);
  BufferTimes times{pts, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_BUFFER_DURATION(buffer)};
  if (GST_CLOCK_TIME_IS_VALID(pts) && segment.format == GST_FORMAT_TIME) {
    times.stream_time = gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, pts);
    if (has_running_time(segment)) {
      times.running_time = gst_segment_to_running_time(&segment, GST_FORMAT_TIME, pts);
    }
  }
  return times;
}

void set_times(GstStructure* structure, const BufferTimes& times) {
  gst_structure_set(structure, "timestamp", G_TYPE_UINT64, times.timestamp, "stream-time",
                    G_TYPE_UINT64, times.stream_time, "running-time", G_TYPE_UINT64,
                    times.running_time, "duration", G_TYPE_UINT64, times.duration, nullptr);
}

}  // namespace cltrack::gst
