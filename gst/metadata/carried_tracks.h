// SPDX-License-Identifier: LGPL-2.1-or-later
// Takes tracks across elements that make new buffers: converters and scalers copy regions, but drop
// their params. So there is one GstCustomMeta "cltrack-tracks" on a buffer with regions of
// trackers, behind all of them. GStreamer passes it on together with them, and its transform
// function scales its tracks and writes the params again on the regions that have lost them.
//
// Its structure has a field for each track, "track-0" and so on, each a structure like the param
// "cltrack" of a region (track_meta.h): what include/gst-cltrack/tracks.h and Python programs read.
#pragma once

#include <gst/gst.h>

#include <memory>
#include <vector>

#include "scoped.h"

namespace cltrack::gst {

using OwnedStructure = Scoped<GstStructure, gst_structure_free>;

// Adds `tracks` to those that the buffer carries already, of trackers before this one. For all that
// have a region, which is to be there already. `buffer` must be writable.
void carry_tracks(GstBuffer* buffer, std::vector<OwnedStructure> tracks);

}  // namespace cltrack::gst
