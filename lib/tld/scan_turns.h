// SPDX-License-Identifier: LGPL-2.1-or-later
// Which targets are looked for all over a frame, and which ones on the next frames: so that frames
// take equally long, however many targets there are.
#pragma once

#include <span>

#include "cltrack/frame.h"
#include "cltrack/tld_config.h"
#include "tld/target.h"

namespace cltrack {

// Before a frame's scan, begins that of each target (ScanPlan). `steps`: see ScanPlan::begin().
// Each target's rows take their turns, in more turns where there are too many. Where many targets
// are to be looked for all over the frame, those that have waited longest are, one at least, and
// the others on the next frames.
void plan_scans(std::span<Target* const> targets, int steps, Effort effort,
                const TldConfig& config);

}  // namespace cltrack
