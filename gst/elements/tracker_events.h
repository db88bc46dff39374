// SPDX-License-Identifier: LGPL-2.1-or-later
// Events and queries of a tracking element: commands, navigation, and what its stream has to know.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

#include <optional>

#include "control/latest_tracks.h"
#include "control/navigation_input.h"
#include "control/target_control.h"
#include "stream/track_stream.h"

namespace cltrack::gst {

// Events of a tracking element: which of them it takes, and what its stream has to know of the
// others.
//
// Threading: any; the caller must hold no lock. None of these throws.
class TrackerEvents {
 public:
  TrackerEvents(TargetControl& control, TrackStream& stream) : control_(control), stream_(stream) {}

  // Takes an event that says what to track, and returns whether it can be done. Empty for those
  // that have to be passed on, on the pad `onward` (null for one that is for this element alone).
  // `navigation`: whether the mouse may say it.
  std::optional<bool> take(GstElement* element, GstPad* onward, GstEvent* event, bool navigation);

  // One from downstream. Takes QoS events if the element's `qos` is set, and passes them on itself:
  // the base class would leave pictures out for them.
  bool take_upstream(GstBaseTransform* element, GstEvent* event);

  // One from upstream that is passed on. Events out of order, such as FLUSH_START, may come while
  // the streaming thread is at work: the stream's watch does not look at those.
  void observe(GstElement* element, GstEvent* event);

  // At the stop.
  void reset() { input_.reset(); }

 private:
  TargetControl& control_;
  TrackStream& stream_;
  NavigationInput input_;
};

// Queries of a tracking element: for its devices, its targets, and its latency.
//
// Threading: any; the caller must hold no lock.

using QueryFunction = gboolean (*)(GstBaseTransform*, GstPadDirection, GstQuery*);

// Answers what the base class (`others`) does not know. `max_latency`: what pictures may be held
// back.
gboolean answer_query(GstBaseTransform* element, GstPadDirection direction, GstQuery* query,
                      const TargetControl& control, GstClockTime max_latency, QueryFunction others);

// The answer to a latency query is another one from now on.
void post_new_latency(GstElement* element);

}  // namespace cltrack::gst
