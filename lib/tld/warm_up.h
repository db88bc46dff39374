// SPDX-License-Identifier: LGPL-2.1-or-later
// Runs every stage once before the first real frame: drivers compile kernels again for each size of
// work-groups (PoCL), or load them when they are first launched. These sizes depend on the device
// and the config, not on the picture, so a tiny one does.
#pragma once

#include <stop_token>
#include <vector>

#include "cltrack/placement.h"
#include "cltrack/tld_config.h"

namespace cltrack {

// Follows a target through a few made-up frames. Takes some milliseconds when all is compiled.
// Throws what the devices throw, and Error{interrupted} once a stop is requested. Threading: any;
// the caller's thread does all.
void warm_up(const TldConfig& config, const std::vector<PlacedStage>& placement,
             const std::stop_token& stop = {});

}  // namespace cltrack
