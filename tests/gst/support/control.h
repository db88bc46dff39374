// SPDX-License-Identifier: LGPL-2.1-or-later
// Signals, events and answers of the tracking elements.
#pragma once

#include <string>
#include <vector>

#include "tracker_harness.h"

namespace cltrack::test {

std::uint64_t add_target(TrackerHarness& harness, const BoundingBox& box, const char* label);
bool move_target(TrackerHarness& harness, std::uint64_t id, const BoundingBox& box);
bool remove_target(TrackerHarness& harness, std::uint64_t id);
void clear_targets(TrackerHarness& harness);

// An event cltrack-control with these fields, as gst-launch writes them.
GstEvent* control_event(GstEventType type, const std::string& fields);

// A message cltracker-target.
struct Answer {
  std::string action, label, source, reason;
  guint64 id = 0;
  gint64 request = 0;
  guint64 timestamp = 0, running_time = 0;
};

// All that are on the bus by now; other messages are dropped.
std::vector<Answer> answers(TrackerHarness& harness);
std::vector<std::string> actions(TrackerHarness& harness);

// Events cltrack-control that the element has passed on since the call before.
int control_events_downstream(TrackerHarness& harness);
int control_events_upstream(TrackerHarness& harness);

}  // namespace cltrack::test
