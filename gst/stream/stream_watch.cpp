// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/stream_watch.h"

#include <algorithm>

namespace cltrack::gst {
namespace {

// How far the start of a segment may lie from the end of the latest buffer if nothing is known of
// the length of a picture.
constexpr GstClockTime kTolerance = 50 * GST_MSECOND;

// Only what comes later is different: where it ends, how far it has been played.
bool is_update(const GstSegment& before, const GstSegment& now) {
  return before.start == now.start && before.time == now.time && before.base == now.base &&
         before.offset == now.offset;
}

}  // namespace

void StreamWatch::reset() {
  stream_id_.clear();
  gst_segment_init(&segment_, GST_FORMAT_UNDEFINED);
  latest_end_ = GST_CLOCK_TIME_NONE;
  latest_duration_ = GST_CLOCK_TIME_NONE;
  new_stream_ = false;
  discontinuity_ = false;
}

void StreamWatch::see_event(GstEvent* event) {
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_FLUSH_STOP:
    case GST_EVENT_GAP:
      discontinuity_ = true;
      break;
    case GST_EVENT_STREAM_START:
      see_stream_start(event);
      break;
    case GST_EVENT_SEGMENT: {
      const GstSegment* segment = nullptr;
      gst_event_parse_segment(event, &segment);
      see_segment(*segment);
      break;
    }
    default:
      break;
  }
}

void StreamWatch::see_stream_start(GstEvent* event) {
  const char* id = nullptr;
  gst_event_parse_stream_start(event, &id);
  if (id == nullptr) return;
  // The same id again is the same stream, after a seek for example.
  if (!stream_id_.empty() && stream_id_ != id) new_stream_ = true;
  stream_id_ = id;
}

void StreamWatch::see_segment(const GstSegment& segment) {
  if (segment_.format != GST_FORMAT_UNDEFINED && !continues(segment)) discontinuity_ = true;
  if (!is_update(segment_, segment)) latest_end_ = GST_CLOCK_TIME_NONE;
  segment_ = segment;
}

bool StreamWatch::continues(const GstSegment& segment) const {
  if (segment.format != segment_.format || segment.rate != segment_.rate ||
      segment.applied_rate != segment_.applied_rate) {
    return false;
  }
  if (is_update(segment_, segment)) return true;
  if (segment.format != GST_FORMAT_TIME || segment.rate < 0) return false;
  if (!GST_CLOCK_TIME_IS_VALID(latest_end_)) return false;

  // Running time always goes on. What must go on is the position in the stream. The segment may end
  // within the latest picture.
  const GstClockTime end = std::min(latest_end_, segment_.stop);
  const GstClockTime before = gst_segment_to_stream_time(&segment_, GST_FORMAT_TIME, end);
  const GstClockTime now = gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, segment.start);
  if (!GST_CLOCK_TIME_IS_VALID(before) || !GST_CLOCK_TIME_IS_VALID(now)) return false;
  const GstClockTime distance = before > now ? before - now : now - before;
  return distance <= (GST_CLOCK_TIME_IS_VALID(latest_duration_) ? latest_duration_ : kTolerance);
}

StreamWatch::Verdict StreamWatch::see_buffer(GstBuffer* buffer) {
  constexpr unsigned kBreaks = GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_RESYNC;
  if (GST_BUFFER_FLAGS(buffer) & kBreaks) discontinuity_ = true;
  const Verdict verdict{new_stream_, discontinuity_};
  new_stream_ = false;
  discontinuity_ = false;

  latest_duration_ = GST_BUFFER_DURATION(buffer);
  latest_end_ = GST_BUFFER_PTS(buffer);
  if (GST_CLOCK_TIME_IS_VALID(latest_end_) && GST_CLOCK_TIME_IS_VALID(latest_duration_)) {
    latest_end_ += latest_duration_;
  }
  return verdict;
}

}  // namespace cltrack::gst
