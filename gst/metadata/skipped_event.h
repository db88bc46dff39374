// SPDX-License-Identifier: LGPL-2.1-or-later
// An event that tells elements downstream that a tracker has not looked at the buffer that follows,
// for want of time: that regions are missing on it does not mean that anything is lost. A structure
// "cltrack-skipped" without fields, in order with the buffers.
#pragma once

#include <gst/gst.h>

namespace cltrack::gst {

GstEvent* make_skipped_event();
bool is_skipped_event(GstEvent* event);

}  // namespace cltrack::gst
