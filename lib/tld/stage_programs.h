// SPDX-License-Identifier: LGPL-2.1-or-later
// Which programs the stages of TLD launch, so that they can be built before the first frame.
#pragma once

#include <vector>

#include "cltrack/placement.h"
#include "cltrack/tld_config.h"
#include "compute/device.h"

namespace cltrack {

// As the launches of the stage name them; see lib/ops/*_cl.cpp. Not for the host.
std::vector<ProgramName> programs_of(Stage stage, const Device& device, const TldConfig& config);

}  // namespace cltrack
