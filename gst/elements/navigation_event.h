// SPDX-License-Identifier: LGPL-2.1-or-later
// What the mouse, a finger or a key does to the targets of an element: a dragged box is added, a
// target that is clicked on is chosen (a message says so) or removed.
//
// Threading: any; the caller must hold no lock. None of these throws.
#pragma once

#include <gst/gst.h>

#include <optional>

#include "control/latest_tracks.h"
#include "control/navigation_input.h"
#include "control/target_control.h"

namespace cltrack::gst {

// Takes an event that acts and returns true; empty for those that have to be passed on. `shown` is
// what users see and point at.
std::optional<bool> take_navigation_event(GstElement* element, TargetControl& control,
                                          LatestTracks& shown, NavigationInput& input,
                                          GstEvent* event);

}  // namespace cltrack::gst
