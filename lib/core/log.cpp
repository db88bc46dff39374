// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/log.h"

#include <mutex>
#include <shared_mutex>
#include <utility>

#include "cltrack/error.h"

namespace cltrack {

Error::Error(ErrorCode code, const std::string& message, std::string details)
    : std::runtime_error(message), code_(code), details_(std::move(details)) {}

Error::~Error() = default;

namespace {

std::shared_mutex handler_mutex;
LogHandler application_handler;
LogHandler plugin_handler;

}  // namespace

void set_log_handler(LogHandler handler) {
  const std::unique_lock lock(handler_mutex);
  application_handler = std::move(handler);
}

void set_plugin_log_handler(LogHandler handler) {
  const std::unique_lock lock(handler_mutex);
  plugin_handler = std::move(handler);
}

void log(LogLevel level, std::string_view message) {
  const std::shared_lock lock(handler_mutex);
  if (application_handler) application_handler(level, message);
  if (plugin_handler) plugin_handler(level, message);
}

}  // namespace cltrack
