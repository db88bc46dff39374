// SPDX-License-Identifier: LGPL-2.1-or-later
#include "action_note.h"

#include <glib.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <utility>

// Of the sanitizers' run-time library.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace cltrack::test {
namespace {

// GLib stops programs with SIGTRAP, meson those that take too long with SIGTERM.
constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGTERM};

// Reachable from a signal handler.
std::array<char, 4096> latest{};
std::size_t length = 0;
std::mutex latest_mutex;
std::array<struct sigaction, kSignals.size()> before{};

// Writes as much as fits. The lock must be held.
void append(const std::string& text) {
  const std::size_t count = std::min(text.size(), latest.size() - 1 - length);
  std::copy_n(text.begin(), count, latest.begin() + static_cast<std::ptrdiff_t>(length));
  length += count;
  latest[length] = '\0';
}

void print_latest() {
  constexpr char kPrefix[] = "\nStopped during: ";
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, kPrefix, sizeof(kPrefix) - 1);
  written = write(STDERR_FILENO, latest.data(), strnlen(latest.data(), latest.size()));
  written = write(STDERR_FILENO, "\n", 1);
}

// Passes the signal on to the earlier handler: a sanitizer's, or the system's.
void on_signal(int number) {
  print_latest();
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before[i], nullptr);
  // What the others stand for happens again on return.
  if (number == SIGABRT || number == SIGTRAP || number == SIGTERM) raise(number);
}

void set_death_callback(void (*callback)()) {
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(callback);
}

}  // namespace

ActionNote::ActionNote(std::string where) : where_(std::move(where)) {
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before[i]);
  set_death_callback(print_latest);
  begin_step(0);
}

ActionNote::~ActionNote() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before[i], nullptr);
  set_death_callback([] {});
}

// The lock must be held.
void ActionNote::start_line() {
  length = 0;
  append(where_ + ", step " + std::to_string(step_) + ": ");
}

void ActionNote::begin_step(int step) {
  const std::lock_guard lock(latest_mutex);
  step_ = step;
  start_line();
}

void ActionNote::say(const std::string& action) {
  const std::lock_guard lock(latest_mutex);
  if (length + action.size() + 2 >= latest.size()) start_line();
  append(action);
  append("; ");
}

std::string ActionNote::text() const {
  const std::lock_guard lock(latest_mutex);
  return latest.data();
}

namespace {

std::mutex kept_mutex;
std::vector<std::string> kept;

void keep(const gchar* domain, GLogLevelFlags level, const gchar* message, gpointer) {
  constexpr int kWorth =
      int{G_LOG_LEVEL_WARNING} | int{G_LOG_LEVEL_CRITICAL} | int{G_LOG_LEVEL_ERROR};
  if ((level & kWorth) == 0) return;
  if ((level & G_LOG_FLAG_FATAL) != 0) g_log_default_handler(domain, level, message, nullptr);
  const std::lock_guard lock(kept_mutex);
  kept.push_back(std::string(domain != nullptr ? domain : "") + ": " + message);
}

}  // namespace

LogWatch::LogWatch() {
  take();
  g_log_set_default_handler(keep, nullptr);
}

LogWatch::~LogWatch() { g_log_set_default_handler(g_log_default_handler, nullptr); }

std::vector<std::string> LogWatch::take() {
  const std::lock_guard lock(kept_mutex);
  return std::exchange(kept, {});
}

}  // namespace cltrack::test
