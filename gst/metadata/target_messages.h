// SPDX-License-Identifier: LGPL-2.1-or-later
// Tells the application, by element messages, what became of what it asked for.
//
// Each message is a structure "cltracker-target" with
//   action (string: "added", "moved", "removed", "refused", "chosen"), id (guint64; 0 if it was
//   refused before there was one), label (string), source (string: "signal", "event", "property",
//   "metadata", "navigation"), reason (string, "" if there is none), request (the number that came
//   with an event, of its type; absent without), timestamp, stream-time, running-time, duration
//   (guint64, ns; GST_CLOCK_TIME_NONE where not known, and for what is told at once: some refusals,
//   choices)
// of the buffer on which it acts.
#pragma once

#include <gst/gst.h>

#include "control/target_command.h"
#include "metadata/buffer_times.h"

namespace cltrack::gst {

// The caller must hold no lock: a synchronous handler of the bus may call back into the element.
void post_change(GstElement* element, const TargetChange& change, const BufferTimes& times);

}  // namespace cltrack::gst
