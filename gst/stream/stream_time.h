// SPDX-License-Identifier: LGPL-2.1-or-later
// The time from one buffer of a stream to the next. All that keeps a time in the plugin takes it
// from here.
//
// Timestamps decide. The flags DISCONT and RESYNC and GAP events only hint that something is
// missing: queues set DISCONT after each frame that they drop, depayloaders send a GAP event for
// each lost packet, and the timestamps say how much that is. So the flags count only where a buffer
// has no timestamp. docs/notes/design.md has the table.
//
// Threading: the streaming thread.
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <string>

#include "core/timing.h"

namespace cltrack::gst {

// How a picture relates to the one before, the weakest first.
enum class Continuity {
  follows,     // time goes on, or stands still; the timestamps say whether pictures are missing
  time_jump,   // timestamps have stepped back or far ahead: running time does not say when pictures
               // are due
  elsewhere,   // a flush, or a segment that begins in another place of the stream
  new_stream,  // another stream id
};

struct StreamInstant {
  Continuity continuity = Continuity::follows;
  // ns since the first picture, as the stream is played. It never steps back: after a jump it goes
  // on by the frame interval of the stream.
  GstClockTime time = 0;
  bool is_dated = false;  // it has a timestamp, and not that of the picture before

  bool follows() const { return continuity == Continuity::follows; }
};

class StreamTime {
 public:
  // Without timestamps a picture is one frame interval later than the one before it: the duration
  // of its buffer, or this.
  static constexpr GstClockTime kUnknownInterval = GST_SECOND / 25;
  // Decoders may confuse the order of timestamps: one that lies at most so many frame intervals,
  // and so much, before the latest one is no step back. Time stands still until it is reached
  // again.
  static constexpr int kDisorder = 5;  // intervals
  static constexpr GstClockTime kLeastStepBack = 200 * GST_MSECOND;
  // A longer time than both is a jump: nothing has been left out.
  static constexpr int kMostMissing = 20;  // intervals
  static constexpr GstClockTime kFarAhead = 10 * GST_SECOND;

  StreamTime() { reset(); }

  // Restores the initial state.
  void reset();

  // Takes every event of the sink pad that is in order with the buffers; those of no concern are
  // ignored.
  void observe_event(GstEvent* event);

  // To be called once for every buffer, after all events before it.
  StreamInstant observe_buffer(GstBuffer* buffer);

  // Nobody has looked at the picture of the latest buffer: the next one follows on from the picture
  // before as little as this one did.
  void not_looked_at() { pending_ = latest_.continuity; }

 private:
  void observe_stream_start(GstEvent* event);
  void observe_segment(const GstSegment& segment);
  bool continues(const GstSegment& segment) const;
  GstClockTime interval(GstBuffer* buffer) const;
  void raise(Continuity continuity);
  Continuity advance(GstBuffer* buffer);

  std::string stream_id_;
  GstSegment segment_;
  GstClockTime latest_end_;       // of the latest buffer, in segment_; GST_CLOCK_TIME_NONE: unknown
  GstClockTime latest_duration_;  // GST_CLOCK_TIME_NONE: unknown
  // The furthest timestamp of segment_ since the latest jump, and its time; GST_CLOCK_TIME_NONE
  // before the first.
  GstClockTime anchor_;
  GstClockTime anchor_time_;
  bool has_begun_;
  bool has_hint_;  // something may be missing before the next buffer
  FramePace pace_;
  Continuity pending_;  // of the next buffer, from events before it
  StreamInstant latest_;
};

}  // namespace cltrack::gst
