// SPDX-License-Identifier: LGPL-2.1-or-later
// The property "stats": statistics of a tracker.
#pragma once

#include <gst/gst.h>

#include "cltrack/tracker.h"
#include "metadata/look.h"

namespace cltrack::gst {

// A structure "cltracker-stats" with
//   frames (guint64)
//   frames-full, frames-near, frames-motion: of these, by the work on them; frames-skipped: those
//           that were not looked at (guint64)
//   stages  (array of structures "stage": name, device (string), calls (guint64), total-ms,
//           median-ms, p99-ms (double), bytes-up, bytes-down, waits (guint64))
//   targets (array of structures "target": id, windows, positive-patches, negative-patches
//           (guint64))
// which the caller owns.
GstStructure* make_stats_structure(const TrackerStats& stats, const LookCounts& looks);

}  // namespace cltrack::gst
