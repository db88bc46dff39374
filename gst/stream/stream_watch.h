// SPDX-License-Identifier: LGPL-2.1-or-later
// Detects discontinuities from the events and flags of a stream. Threading: the streaming thread.
#pragma once

#include <gst/gst.h>

#include <string>

namespace cltrack::gst {

class StreamWatch {
 public:
  StreamWatch() { reset(); }

  // Restores the initial state.
  void reset();

  // Takes every event of the sink pad that is in order with the buffers; those of no concern are
  // ignored. These break the continuity: FLUSH_STOP, GAP, a STREAM_START with another stream id
  // (which starts a new stream), and a SEGMENT that does not start where the latest buffer ended.
  void see_event(GstEvent* event);

  struct Verdict {
    bool new_stream;     // the first picture of another stream than the one before
    bool discontinuity;  // the same stream, but this picture does not follow on
  };

  // To be called once for every buffer, after all events before it.
  Verdict see_buffer(GstBuffer* buffer);

  // The picture of the latest buffer was not looked at: the next one does not follow on.
  void skipped_buffer() { discontinuity_ = true; }

 private:
  void see_stream_start(GstEvent* event);
  void see_segment(const GstSegment& segment);
  bool continues(const GstSegment& segment) const;

  std::string stream_id_;
  GstSegment segment_;
  GstClockTime latest_end_;       // of the latest buffer, in segment_; GST_CLOCK_TIME_NONE: unknown
  GstClockTime latest_duration_;  // GST_CLOCK_TIME_NONE: unknown
  bool new_stream_;
  bool discontinuity_;
};

}  // namespace cltrack::gst
