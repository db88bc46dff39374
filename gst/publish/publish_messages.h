// SPDX-License-Identifier: LGPL-2.1-or-later
// Tells the application what becomes of what is published, by element messages:
//   trackpublish-connection  state ("connected"; "lost": it was connected; "failed": it could not
//   be,
//                            told again for another reason), address (of the file or broker, as
//                            people read it), reason (string), waiting (uint64, messages)
//   trackpublish-dropped     dropped (since the message before), total, waiting (uint64, messages),
//                            reason (string); at most one a second while the element runs
// and by warnings in the log. What failed is a warning on the bus, too: gst-launch shows it.
#pragma once

#include <gst/gst.h>

#include "publish/publisher.h"

namespace cltrack::gst {

// Any thread that holds no lock.
void post_report(GstElement* element, const PublishReport& report);

}  // namespace cltrack::gst
