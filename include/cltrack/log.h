// SPDX-License-Identifier: LGPL-2.1-or-later
// Log messages of the library. It never prints: without a handler they are dropped.
#pragma once

#include <functional>
#include <string_view>

#include "cltrack/export.h"

namespace cltrack {

enum class LogLevel { debug, info, warning };

using LogHandler = std::function<void(LogLevel, std::string_view)>;

// Sets the application's handler for the process; an empty one drops messages. The GStreamer plugin
// has a handler of its own, which gets the same messages. Threading: safe at any time. The handler
// may be called from any thread that runs a tracker, and must not call set_log_handler().
CLTRACK_API void set_log_handler(LogHandler handler);

}  // namespace cltrack
