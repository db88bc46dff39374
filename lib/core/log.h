// SPDX-License-Identifier: LGPL-2.1-or-later
// What writes messages, and the handler of the plugin. The application has its own handler, which
// the plugin must not take away when it is loaded: each message goes to both.
#pragma once

#include <string_view>

#include "cltrack/export.h"
#include "cltrack/log.h"

namespace cltrack {

// As set_log_handler(), for the GStreamer plugin.
CLTRACK_API void set_plugin_log_handler(LogHandler handler);

CLTRACK_API void log(LogLevel level, std::string_view message);

}  // namespace cltrack
