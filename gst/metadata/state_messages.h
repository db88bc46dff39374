// SPDX-License-Identifier: LGPL-2.1-or-later
// Tells the application, by element messages, when a target changes its state.
//
// Each message is a structure "cltracker-state" with
//   id (guint64), label (string), state and previous-state (strings: "tracking", "uncertain",
//   "lost"; "none" before the first), recovered (boolean: it was lost and is found again), reason
//   (string: why it was lost, see Track::reason; "" if it is not), x, y, width, height (double,
//   pixels, 0 while lost), confidence (double, 0 to 1), timestamp, stream-time, running-time,
//   duration (guint64, ns; GST_CLOCK_TIME_NONE where not known)
// of the buffer on which the state changed.
#pragma once

#include <gst/gst.h>

#include <map>
#include <span>

#include "cltrack/track.h"
#include "metadata/buffer_times.h"

namespace cltrack::gst {

// Which messages are posted.
enum class StateReports { none, on_change, every_frame };

class StateMessages {
 public:
  // Posts a message for each track whose state is not what it was in the call before, or for all
  // of them, or none. The caller must hold no lock: a synchronous handler of the bus may call back
  // into the element.
  void post(GstElement* element, StateReports reports, std::span<const Track> tracks,
            const BufferTimes& times);

  // The next tracks are those of another stream.
  void reset() { states_.clear(); }

 private:
  std::map<std::uint64_t, TrackState> states_;  // by id, as reported last
};

}  // namespace cltrack::gst
