// SPDX-License-Identifier: LGPL-2.1-or-later
// An event that tells elements downstream that a track will not come again: that its region is
// missing on a buffer means that it is lost. A structure "cltrack-removed" with tracker (string,
// the element's name), id (guint64) and label (string), in order with the buffers.
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <optional>
#include <string>

#include "metadata/track_meta.h"

namespace cltrack::gst {

GstEvent* make_removed_event(const std::string& tracker, std::uint64_t id,
                             const std::string& label);

struct RemovedTrack {
  TrackKey track;   // as of the regions of read_tracks()
  TrackKey region;  // where an element has dropped their params
};

// Empty for other events.
std::optional<RemovedTrack> parse_removed_event(GstEvent* event);

}  // namespace cltrack::gst
