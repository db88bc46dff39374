// SPDX-License-Identifier: LGPL-2.1-or-later
// Queries of a tracking element: for its devices, its targets, and its latency.
//
// Threading: any; the caller must hold no lock.
#pragma once

#include <gst/base/gstbasetransform.h>

#include "control/target_control.h"

namespace cltrack::gst {

using QueryFunction = gboolean (*)(GstBaseTransform*, GstPadDirection, GstQuery*);

// Answers what the base class (`others`) does not know. `max_latency`: what pictures may be held
// back.
gboolean answer_query(GstBaseTransform* element, GstPadDirection direction, GstQuery* query,
                      const TargetControl& control, GstClockTime max_latency, QueryFunction others);

// The answer to a latency query is another one from now on.
void post_new_latency(GstElement* element);

}  // namespace cltrack::gst
