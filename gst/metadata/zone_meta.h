// SPDX-License-Identifier: LGPL-2.1-or-later
// Zones, their counts and what happened in them, on buffers and in messages.
//
// Each element that counts adds a GstCustomMeta "cltrack-zones" to each buffer. Its structure has
//   element (string, the name of the element), width, height (int, of the pictures that it saw),
//   zones (string, as JSON: docs/counting.md), and a structure for each zone in order, "zone-0" and
//   so on:
//     name (string), inside (int), entered, left, dwelled, crowded, most, forward, backward
//     (guint64)
//   and one for each event that is told of on this picture, "event-0" and so on. They are also the
//   structures "trackzones-event" of element messages:
//     event (string: "enter", "leave", "cross", "dwell", "count", "crowded"), zone (string),
//     inside (int), delay (guint64, ns between the picture on which it happened and this one),
//     timestamp, stream-time, running-time, duration (guint64, ns; GST_CLOCK_TIME_NONE where not
//     known) of the picture on which it happened; of what a track did id (guint64), tracker
//     (string), label (string), x, y, width, height (double, pixels), confidence (double), after
//     (guint64, the id of the track whose place it took, or 0); of "cross" direction (string:
//     "forward", "backward"); of "leave" and "dwell" dwell (guint64, ns); of "leave" reason
//     (string); where there is a picture of the track, picture (string, the name of its file)
//
// What happens between buffers, as at the end of a stream, is a downstream event "cltrack-zones"
// with the same structure, and messages.
#pragma once

#include <gst/gst.h>

#include <span>
#include <string>
#include <vector>

#include "cltrack/zones.h"
#include "metadata/carried_tracks.h"
#include "metadata/track_messages.h"

namespace cltrack::gst {

// A ZoneEvent with what the stream knows of it; its `id` and `after` are those that regions have.
struct ZoneReport {
  ZoneEvent event;
  std::string tracker = {};
  BufferTimes times = {};  // of the picture on which it happened
  GstClockTime delay = 0;
  std::string picture = {};  // the name of a file with a picture of the track; empty: there is none
};

// What one element says of its zones.
struct ZoneNews {
  std::string element;
  int width = 0;
  int height = 0;
  std::string zones;  // JSON
  std::vector<int> inside = {};
  std::vector<ZoneTotals> totals = {};
  std::vector<ZoneReport> reports = {};
};

// "trackzones-event".
OwnedStructure report_structure(const ZoneReport& report);
// "zone-0" and so on, as above.
void set_totals(GstStructure* structure, std::span<const ZoneTotals> totals,
                std::span<const int> inside);

// `buffer` must be writable.
void write_zones(GstBuffer* buffer, const ZoneNews& news);
// Of all elements upstream. What is damaged is left out.
std::vector<ZoneNews> read_zones(GstBuffer* buffer);

GstEvent* make_zones_event(const ZoneNews& news);
// Empty for other events.
std::vector<ZoneNews> parse_zones_event(GstEvent* event);

}  // namespace cltrack::gst
