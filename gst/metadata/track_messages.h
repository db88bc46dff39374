// SPDX-License-Identifier: LGPL-2.1-or-later
// Messages and events about tracks, with the times and the effort that they carry.
#pragma once

#include <gst/gst.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cltrack/track.h"
#include "control/target_control.h"
#include "metadata/track_meta.h"

namespace cltrack::gst {

// The times of a buffer, as messages have them.

// When a buffer is shown; GST_CLOCK_TIME_NONE where not known.
struct BufferTimes {
  GstClockTime timestamp = GST_CLOCK_TIME_NONE;
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;
  GstClockTime running_time = GST_CLOCK_TIME_NONE;
  GstClockTime duration = GST_CLOCK_TIME_NONE;
};

// The segment is copied: another thread that starts an element under a buffer resets it, without a
// lock, and GStreamer's functions look at it more than once.
BufferTimes times_of(GstBuffer* buffer, GstSegment segment);

// As the fields timestamp, stream-time, running-time and duration (guint64, ns).
void set_times(GstStructure* structure, const BufferTimes& times);

// How closely pictures are looked at.

// The work of a cltrack::Effort, or nothing at all.
enum class FrameEffort { full, near, motion, none };
inline constexpr std::size_t kFrameEfforts = 4;

// Pictures by the work on them.
struct EffortCounts {
  std::array<guint64, kFrameEfforts> of = {};

  guint64 skipped() const { return of[static_cast<std::size_t>(FrameEffort::none)]; }
  guint64 processed() const { return of[0] + of[1] + of[2]; }
};

// Tells the application, by element messages, when a target changes its state.
//
// Each message is a structure "cltracker-state" with
//   id (guint64), label (string), state and previous-state (strings: "tracking", "uncertain",
//   "lost"; "none" before the first), recovered (boolean: it was lost and is found again), reason
//   (string: why it was lost, see Track::reason, or "unconfirmed" of an uncertain one that
//   detectors have missed; or else ""), x, y, width, height (double, pixels, 0 while lost),
//   confidence (double, 0 to 1), timestamp, stream-time, running-time, duration (guint64, ns;
//   GST_CLOCK_TIME_NONE where not known)
// of the buffer on which the state changed.

// Which messages are posted.
enum class StateReports { none, on_change, every_frame };

// Posts a message for each track whose state is not what it was `before` on the picture before, or
// for all of them, or none. The caller must hold no lock: a synchronous handler of the bus may call
// back into the element.
void post_states(GstElement* element, StateReports reports, std::span<const Track> tracks,
                 std::span<const std::optional<TrackState>> before, const BufferTimes& times);

// Answers the application's commands by element messages.
//
// Each message is a structure "cltracker-target" with
//   action (string: "added", "moved", "removed", "refused", "chosen"), id (guint64; 0 if it was
//   refused before there was one), label (string), source (string: "signal", "event", "property",
//   "metadata", "navigation"), reason (string, "" if there is none), request (the number that came
//   with an event, of its type; absent without), timestamp, stream-time, running-time, duration
//   (guint64, ns; GST_CLOCK_TIME_NONE where not known, and for what is posted at once: some
//   refusals, choices)
// of the buffer on which it acts.

// The caller must hold no lock: a synchronous handler of the bus may call back into the element.
void post_change(GstElement* element, const TargetChange& change, const BufferTimes& times);

// Tells the application, by GStreamer's QoS messages, that there was not time for all the work.
class QosMessages {
 public:
  // Four messages a second of the stream at most, and none between.
  static constexpr GstClockTime kBetween = 250 * GST_MSECOND;

  // `late`: ns after the time at which the picture had to be done, negative if before. The
  // message's quality is a million for FrameEffort::full, and less for less work; its statistics
  // are in buffers: those that were looked at, and those that were not. The caller must hold no
  // lock.
  void post(GstElement* element, const BufferTimes& times, GstClockTimeDiff late,
            FrameEffort effort, const EffortCounts& counts, bool is_live);

  void reset() { latest_ = GST_CLOCK_TIME_NONE; }

 private:
  GstClockTime latest_ = GST_CLOCK_TIME_NONE;  // running time of the latest message
};

// An event that tells elements downstream that a track will not come again: that its region is
// missing on a buffer means that it is lost. A structure "cltrack-removed" with tracker (string,
// the element's name), id (guint64) and label (string), in order with the buffers.

GstEvent* make_removed_event(const std::string& tracker, std::uint64_t id,
                             const std::string& label);

struct RemovedTrack {
  TrackKey track;   // as of the regions of read_tracks()
  TrackKey region;  // where an element has dropped their params
};

// Empty for other events.
std::optional<RemovedTrack> parse_removed_event(GstEvent* event);

// An event that tells elements downstream that a tracker has not looked at the buffer that follows,
// for want of time: that regions are missing on it does not mean that anything of that tracker
// is lost. A structure "cltrack-skipped" with tracker (string, the element's name), in order with
// the buffers.

GstEvent* make_skipped_event(const std::string& tracker);
// The tracker's name; empty for other events.
std::optional<std::string> parse_skipped_event(GstEvent* event);

// A query of elements that keep pictures of tracks: whether an element downstream, on any branch,
// makes the tracks unrecognisable. A structure "cltrack-hidden", in which who does so sets hidden
// (boolean).

// For the streaming thread of `source`.
bool is_hidden_downstream(GstPad* source);
// For one who does so: false for other queries.
bool answer_hidden_query(GstQuery* query);

}  // namespace cltrack::gst
