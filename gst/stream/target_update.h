// SPDX-License-Identifier: LGPL-2.1-or-later
// Puts the targets that the user has set into a tracker.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cltrack/tracker.h"
#include "properties/target_list.h"

namespace cltrack::gst {

enum class OnBadTarget { refuse, leave_out };

// Replaces the targets `ids` of `tracker` by `targets`, which are where they are on the next frame
// of width x height pixels, and leaves their new ids in `ids`. A target without a label gets
// `label`. One that lies partly outside of the frame is clipped, with a warning. One that cannot be
// tracked at all is left out, with a warning, or refused: then Error{invalid_argument} is thrown
// and the tracker is as it was.
void replace_targets(Tracker& tracker, std::vector<std::uint64_t>& ids,
                     std::span<const Target> targets, const std::string& label, int width,
                     int height, OnBadTarget on_bad_target, std::vector<std::string>& warnings);

}  // namespace cltrack::gst
