// SPDX-License-Identifier: LGPL-2.1-or-later
#include "log_watch.h"

#include <glib.h>

#include <mutex>
#include <utility>

namespace cltrack::test {
namespace {

std::mutex mutex;
std::vector<std::string> kept;

void keep(const gchar* domain, GLogLevelFlags level, const gchar* message, gpointer) {
  constexpr int kWorth =
      int{G_LOG_LEVEL_WARNING} | int{G_LOG_LEVEL_CRITICAL} | int{G_LOG_LEVEL_ERROR};
  if ((level & kWorth) == 0) return;
  if ((level & G_LOG_FLAG_FATAL) != 0) g_log_default_handler(domain, level, message, nullptr);
  const std::lock_guard lock(mutex);
  kept.push_back(std::string(domain != nullptr ? domain : "") + ": " + message);
}

}  // namespace

LogWatch::LogWatch() {
  take();
  g_log_set_default_handler(keep, nullptr);
}

LogWatch::~LogWatch() { g_log_set_default_handler(g_log_default_handler, nullptr); }

std::vector<std::string> LogWatch::take() {
  const std::lock_guard lock(mutex);
  return std::exchange(kept, {});
}

}  // namespace cltrack::test
