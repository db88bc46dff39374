// SPDX-License-Identifier: LGPL-2.1-or-later
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
#pragma once

#include <gst/gst.h>

#include <optional>

#include "control/target_control.h"

namespace cltrack::gst {

// Takes an event that is for this element, and returns whether it can be done; if not, a warning
// and a message have said why. Empty for other events, and for those of other elements, which have
// to be passed on. `onward`: the pad on which it would be; null for an event that the application
// has sent to this very element.
std::optional<bool> take_control_event(GstElement* element, TargetControl& control, GstPad* onward,
                                       GstEvent* event);

// Other elements ask which trackers have a target with some id: adds this one to the answer.
void answer_owner_query(GstElement* element, const TargetControl& control, GstQuery* query);

}  // namespace cltrack::gst
