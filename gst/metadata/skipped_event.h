// SPDX-License-Identifier: LGPL-2.1-or-later
// An event that tells elements downstream that a tracker has not looked at the buffer that follows,
// for want of time: that regions are missing on it does not mean that anything of that tracker
// is lost. A structure "cltrack-skipped" with tracker (string, the element's name), in order with
// the buffers.
#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>

namespace cltrack::gst {

GstEvent* make_skipped_event(const std::string& tracker);
// The tracker's name; empty for other events.
std::optional<std::string> parse_skipped_event(GstEvent* event);

}  // namespace cltrack::gst
