// SPDX-License-Identifier: LGPL-2.1-or-later
// The fields of our trackers' configs by name, for options like `--param scale_step=1.1`: those of
// tld_fields() and template_fields().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trackers.h"

namespace cltrack::accuracy {

// "scale_step", "update_warps.angle", ... of TldConfig, "template.window", ... of TemplateConfig,
// "device", "motion_device", ... of the placement of both.
std::vector<std::string> param_names();

// Sets the field that `assignment`, "name=value", names; booleans are true or false.
// Throws Error{invalid_argument} if there is no such field (lists all), or the value is not of its
// type. Ranges are not checked here: validate() does that once all are set.
void set_param(TrackerConfigs& configs, std::string_view assignment);

}  // namespace cltrack::accuracy
