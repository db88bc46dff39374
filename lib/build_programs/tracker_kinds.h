// SPDX-License-Identifier: LGPL-2.1-or-later
// The trackers of this library by their names.
#pragma once

#include "placement/candidate_devices.h"

namespace cltrack {

// See MakeKind.
TrackerKind make_tracker_kind(std::string_view name, std::span<const std::string> settings);

}  // namespace cltrack
