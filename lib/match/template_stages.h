// SPDX-License-Identifier: LGPL-2.1-or-later
// The one stage of template matching.
#pragma once

#include <string_view>

#include "cltrack/template_config.h"
#include "placement/tracker_kind.h"

namespace cltrack {

inline constexpr std::string_view kTemplateName = "template";
TrackerKind template_kind(const TemplateConfig& config);

}  // namespace cltrack
