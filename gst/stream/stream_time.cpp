// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/stream_time.h"

#include <algorithm>
#include <utility>

namespace cltrack::gst {
namespace {

// How far the start of a segment may lie from the end of the latest buffer if nothing is known of
// the length of a picture.
constexpr GstClockTime kTolerance = 50 * GST_MSECOND;

// Streams may have any timestamps: sums of these can be counted.
constexpr GstClockTime kLongestInterval = 3600 * GST_SECOND;
constexpr GstClockTime kLatest = G_MAXINT64 / 4;

// Only what comes later is different: where it ends, how far it has been played.
bool is_update(const GstSegment& before, const GstSegment& now) {
  return before.start == now.start && before.time == now.time && before.base == now.base &&
         before.offset == now.offset;
}

}  // namespace

void StreamTime::reset() {
  stream_id_.clear();
  gst_segment_init(&segment_, GST_FORMAT_UNDEFINED);
  latest_end_ = GST_CLOCK_TIME_NONE;
  latest_duration_ = GST_CLOCK_TIME_NONE;
  anchor_ = GST_CLOCK_TIME_NONE;
  anchor_time_ = 0;
  has_begun_ = false;
  has_hint_ = false;
  pace_.reset();
  pending_ = Continuity::follows;
  latest_ = {};
}

void StreamTime::raise(Continuity continuity) { pending_ = std::max(pending_, continuity); }

void StreamTime::observe_event(GstEvent* event) {
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_FLUSH_STOP:
      raise(Continuity::elsewhere);
      anchor_ = GST_CLOCK_TIME_NONE;
      break;
    case GST_EVENT_GAP:
      has_hint_ = true;
      break;
    case GST_EVENT_STREAM_START:
      observe_stream_start(event);
      break;
    case GST_EVENT_SEGMENT: {
      const GstSegment* segment = nullptr;
      gst_event_parse_segment(event, &segment);
      observe_segment(*segment);
      break;
    }
    default:
      break;
  }
}

void StreamTime::observe_stream_start(GstEvent* event) {
  const char* id = nullptr;
  gst_event_parse_stream_start(event, &id);
  if (id == nullptr) return;
  // The same id again is the same stream, after a seek for example.
  if (!stream_id_.empty() && stream_id_ != id) {
    raise(Continuity::new_stream);
    anchor_ = GST_CLOCK_TIME_NONE;
  }
  stream_id_ = id;
}

void StreamTime::observe_segment(const GstSegment& segment) {
  if (segment_.format != GST_FORMAT_UNDEFINED && !continues(segment)) {
    raise(Continuity::elsewhere);
  }
  if (!is_update(segment_, segment)) {
    latest_end_ = GST_CLOCK_TIME_NONE;
    anchor_ = GST_CLOCK_TIME_NONE;
  }
  segment_ = segment;
}

bool StreamTime::continues(const GstSegment& segment) const {
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

GstClockTime StreamTime::interval(GstBuffer* buffer) const {
  const auto known = static_cast<GstClockTime>(pace_.interval());
  if (known > 0) return std::min(known, kLongestInterval);
  const GstClockTime duration = GST_BUFFER_DURATION(buffer);
  return duration > 0 && duration < kFarAhead ? duration : kUnknownInterval;
}

// Moves latest_.time on to the buffer, and says whether its timestamp follows on from those before.
Continuity StreamTime::advance(GstBuffer* buffer) {
  constexpr unsigned kHints = GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_RESYNC;
  const bool has_hint = std::exchange(has_hint_, false) || (GST_BUFFER_FLAGS(buffer) & kHints) != 0;
  const GstClockTime pts = GST_BUFFER_PTS(buffer);
  const GstClockTime frame_interval = interval(buffer);
  const bool is_first = !std::exchange(has_begun_, true);
  latest_.is_dated = GST_CLOCK_TIME_IS_VALID(pts) && pts != anchor_;
  if (!GST_CLOCK_TIME_IS_VALID(pts)) {
    if (!is_first) latest_.time += frame_interval;
    return has_hint && !is_first ? Continuity::elsewhere : Continuity::follows;
  }
  if (!GST_CLOCK_TIME_IS_VALID(anchor_)) {
    if (!is_first) latest_.time += frame_interval;
    anchor_ = pts;
    anchor_time_ = latest_.time;
    return Continuity::follows;
  }
  const bool is_ahead = segment_.rate < 0 ? pts < anchor_ : pts > anchor_;
  const GstClockTime distance = pts > anchor_ ? pts - anchor_ : anchor_ - pts;
  const GstClockTime most = is_ahead ? std::max(kMostMissing * frame_interval, kFarAhead)
                                     : std::max(kDisorder * frame_interval, kLeastStepBack);
  if (distance > most) {
    latest_.time += frame_interval;
    anchor_ = pts;
    anchor_time_ = latest_.time;
    return Continuity::time_jump;
  }
  // Several with one timestamp are as good as without: time goes on until the next one.
  if (distance == 0) latest_.time += frame_interval;
  if (!is_ahead) return Continuity::follows;
  latest_.time = std::max(latest_.time, anchor_time_ + distance);
  anchor_ = pts;
  anchor_time_ = latest_.time;
  return Continuity::follows;
}

StreamInstant StreamTime::observe_buffer(GstBuffer* buffer) {
  latest_.continuity = std::max(std::exchange(pending_, Continuity::follows), advance(buffer));
  latest_.time = std::min(latest_.time, kLatest);
  pace_.observe(static_cast<std::int64_t>(latest_.time), latest_.follows());

  latest_duration_ = GST_BUFFER_DURATION(buffer);
  latest_end_ = GST_BUFFER_PTS(buffer);
  if (GST_CLOCK_TIME_IS_VALID(latest_end_) && GST_CLOCK_TIME_IS_VALID(latest_duration_)) {
    latest_end_ += latest_duration_;
  }
  return latest_;
}

}  // namespace cltrack::gst
