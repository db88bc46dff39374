// SPDX-License-Identifier: LGPL-2.1-or-later
// The one stage of tracking by colour.
#pragma once

#include <string_view>

#include "cltrack/color_config.h"
#include "placement/tracker_kind.h"

namespace cltrack {

inline constexpr std::string_view kColorName = "color";
TrackerKind color_kind(const ColorConfig& config);

}  // namespace cltrack
