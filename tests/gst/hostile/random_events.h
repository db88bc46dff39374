// SPDX-License-Identifier: LGPL-2.1-or-later
// Random events in both directions and queries on both pads.
#pragma once

#include <gst/check/gstharness.h>

#include "action_note.h"
#include "random_values.h"

namespace cltrack::test {

// `time` is that of the next buffer.
void push_random_event(RandomValues& random, GstHarness* harness, GstClockTime time,
                       ActionNote& note);

void send_random_query(RandomValues& random, GstHarness* harness, ActionNote& note);

// A segment that begins anywhere, of any rate, now and then not of time.
GstSegment random_segment(RandomValues& random);

}  // namespace cltrack::test
