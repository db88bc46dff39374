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

// Custom events that say what to track, upstream or downstream: a structure "cltrack-control" with
//   command (string): "add", "move", "remove", "clear" or "learning";
//   x, y, width, height: of add and move; id: of move and remove, a positive integer;
//   units (string): "pixels" (default) or "fraction", of the picture's width and height;
//   label (string): of add; learning (boolean): of learning;
//   element (string): the name of the element that is meant, if there are several. Without it the
//   first one that gets the event takes it; move and remove go to the one that has the id, and are
//   refused if several have it;
//   request: a number that comes back in the answer.
// Numbers are of any type. Names of files are not looked at: events may come from anywhere.
//
// Threading: any; the caller must hold no lock. None of these throws.

// Takes an event that is for this element, and returns whether it can be done; if not, a warning
// and a message have said why. Empty for other events, and for those of other elements, which have
// to be passed on. `onward`: the pad on which it would be; null for an event that the application
// has sent to this very element.
std::optional<bool> take_control_event(GstElement* element, TargetControl& control, GstPad* onward,
                                       GstEvent* event);

// Other elements ask which trackers have a target with some id: adds this one to the answer.
void answer_owner_query(GstElement* element, const TargetControl& control, GstQuery* query);

// What the mouse, a finger or a key does to the targets of an element: a dragged box is added, a
// target that is clicked on is chosen (a message says so) or removed.
//
// Threading: any; the caller must hold no lock. None of these throws.

// Takes an event that acts and returns true; empty for those that have to be passed on. `shown` is
// what users see and point at.
std::optional<bool> take_navigation_event(GstElement* element, TargetControl& control,
                                          LatestTracks& shown, NavigationInput& input,
                                          GstEvent* event);

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
  void see(GstElement* element, GstEvent* event);

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
