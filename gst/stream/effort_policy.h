// SPDX-License-Identifier: LGPL-2.1-or-later
// How much work a frame gets when time is short: latency of upstream, time budget, and effort.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "cltrack/frame.h"
#include "metadata/track_messages.h"
#include "stream/stream_time.h"

namespace cltrack::gst {

// How much work a picture gets when there is little time: the most that will be done in time. Knows
// no clock.
//
// It gives work up at once, and takes it up again after some pictures for which there would have
// been time. What was not done for a while may have become cheaper: estimates of it fade until it
// is tried again.
//
// Threading: one thread at a time.

// The effort of a FrameEffort that is not none.
Effort effort_of(FrameEffort effort);

class EffortPolicy {
 public:
  // Pictures in a row that are not looked at, at most: nothing is tracked without any.
  static constexpr int kMostSkipped = 4;
  // Pictures in a row for which there would be time for more work, before there is more.
  static constexpr int kCalm = 8;

  // For the next picture. `left`: ns until it has to be done, negative if that is over; empty if it
  // may take all the time. `is_late_later`: the picture would reach the sink too late, which takes
  // work away step by step, but no picture is left out for it.
  FrameEffort choose(std::optional<std::int64_t> left, bool is_late_later = false);

  // How long such work on a picture has taken, ns.
  void took(FrameEffort effort, std::int64_t ns);

  void reset() { *this = {}; }

 private:
  bool fits(std::size_t level, const std::optional<std::int64_t>& left, std::int64_t percent) const;

  std::array<std::int64_t, kFrameEfforts> costs_ = {};  // ns; 0: not known, or nothing
  std::size_t level_ = 0;  // of the work, as a FrameEffort, but for none
  int calm_ = 0;
  int skipped_ = 0;
};

// Latency: what upstream has, and what the element adds to it.
class UpstreamLatency {
 public:
  // The least latency of the pictures that arrive at the sink pad, if they come from a live source.
  // Asks upstream at the first time and after ask_again(): no lock may be held. One thread at a
  // time.
  std::optional<GstClockTime> of_live(GstPad* sink_pad);

  // It may have changed. Any thread.
  void ask_again() { is_known_ = false; }

 private:
  std::atomic<bool> is_known_ = false;
  std::optional<GstClockTime> latency_;
};

// Adds what a live picture may be held back to an answered query.
void add_latency(GstQuery* query, GstClockTime more);

// The time that a picture has: by `max-latency`, on the pipeline's clock, and by what the sink says
// in QoS events. Chooses its work and posts messages of what could not be done.
//
// Threading: the streaming thread, or the one that starts and stops it; observe_qos(),
// forget_sink(), ask_again() and counts() on any.
class TimeBudget {
 public:
  // Before a picture. `max_latency`: how long after its time, and after upstream's latency, a live
  // picture may leave the element; 0: any time. No lock of the element may be held. After a jump of
  // timestamps the picture that came earliest since then says when pictures are due.
  FrameEffort begin(GstBaseTransform* element, const BufferTimes& times,
                    const StreamInstant& stream, GstClockTime max_latency);
  // After it. `counts`: the picture was given to a tracker, or left out.
  void end(GstBaseTransform* element, const BufferTimes& times, FrameEffort effort, bool counts);

  // Around each push of a buffer. A sink that waits for its time, or whoever is slow downstream,
  // keeps the next picture waiting: no work is given up for that.
  void push_begins(GstElement* element);
  void push_ends(GstElement* element);

  // A QoS event of the sink: later pictures up to that time will be late as well.
  void observe_qos(GstEvent* event);
  void forget_sink();  // what it said
  // Upstream's latency may have changed.
  void ask_again() { latency_.ask_again(); }

  // Since forget_counts().
  EffortCounts counts() const;
  void forget_counts();

  // At the stop.
  void reset();

 private:
  // The time of the pipeline's clock, or GST_CLOCK_TIME_NONE without one.
  static GstClockTime now(GstElement* element);
  bool is_late_later(GstBaseTransform* element, const BufferTimes& times) const;

  UpstreamLatency latency_;
  EffortPolicy policy_;
  QosMessages messages_;
  FrameEffort before_ = FrameEffort::full;
  // The deadline of the picture that has begun, if it has a limit, and when it came, as running
  // times.
  std::optional<GstClockTimeDiff> deadline_;
  GstClockTime came_ = GST_CLOCK_TIME_NONE;
  GstClockTime push_began_ = GST_CLOCK_TIME_NONE;  // on the pipeline's clock
  // How much later pictures come because pushes have kept the ones before waiting.
  GstClockTimeDiff waited_ = 0;
  // By how much pictures are due later than their running times say.
  bool has_jumped_ = false;
  GstClockTimeDiff shift_ = 0;

  mutable std::mutex mutex_;
  EffortCounts counts_;
  GstClockTime late_until_ = GST_CLOCK_TIME_NONE;  // running time
};

}  // namespace cltrack::gst
