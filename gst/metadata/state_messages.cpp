// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/state_messages.h"

#include <utility>

namespace cltrack::gst {
namespace {

GstMessage* make_message(GstElement* element, const Track& track, const char* previous,
                         const BufferTimes& times) {
  const BoundingBox box = track.has_box() ? track.box : BoundingBox{};
  const double confidence = track.has_box() ? static_cast<double>(track.confidence) : 0.0;
  return gst_message_new_element(
      GST_OBJECT(element),
      gst_structure_new(
          "cltracker-state", "id", G_TYPE_UINT64, static_cast<guint64>(track.id), "label",
          G_TYPE_STRING, track.label.c_str(), "state", G_TYPE_STRING, to_string(track.state),
          "previous-state", G_TYPE_STRING, previous, "x", G_TYPE_DOUBLE, static_cast<double>(box.x),
          "y", G_TYPE_DOUBLE, static_cast<double>(box.y), "width", G_TYPE_DOUBLE,
          static_cast<double>(box.width), "height", G_TYPE_DOUBLE, static_cast<double>(box.height),
          "confidence", G_TYPE_DOUBLE, confidence, "timestamp", G_TYPE_UINT64, times.timestamp,
          "stream-time", G_TYPE_UINT64, times.stream_time, "running-time", G_TYPE_UINT64,
          times.running_time, "duration", G_TYPE_UINT64, times.duration, nullptr));
}

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

void StateMessages::post_changes(GstElement* element, std::span<const Track> tracks,
                                 const BufferTimes& times) {
  std::map<std::uint64_t, TrackState> now;  // leaves out targets that were removed
  for (const Track& track : tracks) {
    now.emplace(track.id, track.state);
    const auto before = states_.find(track.id);
    if (before != states_.end() && before->second == track.state) continue;
    const char* previous = before == states_.end() ? "none" : to_string(before->second);
    gst_element_post_message(element, make_message(element, track, previous, times));
  }
  states_ = std::move(now);
}

}  // namespace cltrack::gst
