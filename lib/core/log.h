// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes log messages. The plugin has a handler of its own, so that it does not replace that of the
// application: each message goes to both.
#pragma once

#include <string_view>

#include "cltrack/export.h"
#include "cltrack/log.h"

namespace cltrack {

// As set_log_handler(), for the GStreamer plugin.
CLTRACK_API void set_plugin_log_handler(LogHandler handler);

CLTRACK_API void log(LogLevel level, std::string_view message);

}  // namespace cltrack
