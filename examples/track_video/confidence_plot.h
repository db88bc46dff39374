// SPDX-License-Identifier: LGPL-2.1-or-later
// The plot of confidence over time: a strip for each target, its states as coloured ground.
#pragma once

#include <span>
#include <string>

#include "box_argument.h"
#include "page.h"
#include "timeline.h"

namespace track_video {

// More targets than this get no strip; a line says how many.
inline constexpr std::size_t kMostStrips = 100;

// `timeline` has at least one frame of these targets.
Page draw_confidence(const Timeline& timeline, std::span<const Target> targets,
                     const std::string& title);

}  // namespace track_video
