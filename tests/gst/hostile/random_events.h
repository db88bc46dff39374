// SPDX-License-Identifier: LGPL-2.1-or-later
// Random caps, events in both directions, and queries on both pads.
#pragma once

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <vector>

#include "../support/gst_ptr.h"
#include "action_note.h"
#include "random_values.h"

namespace cltrack::test {

// `time` is that of the next buffer.
void push_random_event(RandomValues& random, GstHarness* harness, GstClockTime time,
                       ActionNote& note);

// GstBaseTransform answers a query of the position from a segment that another thread's start or
// flush may reset meanwhile, which GStreamer reports as a critical warning: then it is not to be
// asked.
enum class PositionQueries { sent, left_out };

void send_random_query(RandomValues& random, GstHarness* harness, PositionQueries position,
                       ActionNote& note);

// A segment that begins anywhere, of any rate, now and then not of time.
GstSegment random_segment(RandomValues& random);

// Pictures of these caps have up to some 10,000 pixels; rarely, more than any memory can hold.
CapsPtr random_caps(RandomValues& random, const std::vector<GstVideoFormat>& formats);

std::string describe_caps(const GstCaps* caps);

}  // namespace cltrack::test
