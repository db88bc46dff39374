// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/log.h"

#include <mutex>
#include <shared_mutex>
#include <utility>

namespace cltrack {
namespace {

std::shared_mutex handler_mutex;
LogHandler handler;

}  // namespace

void set_log_handler(LogHandler new_handler) {
  const std::unique_lock lock(handler_mutex);
  handler = std::move(new_handler);
}

void log(LogLevel level, std::string_view message) {
  const std::shared_lock lock(handler_mutex);
  if (handler) handler(level, message);
}

}  // namespace cltrack
