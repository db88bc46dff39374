// SPDX-License-Identifier: LGPL-2.1-or-later
#include "progress.h"

#include <unistd.h>

#include <cstdio>

#include "report.h"

namespace cltrack::accuracy {
namespace {

constexpr std::size_t kBarWidth = 24;
constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::chrono::seconds kLine{15};

}  // namespace

Progress::Progress(std::size_t runs) : terminal_(isatty(STDERR_FILENO) == 1), runs_(runs) {}

Progress::~Progress() { clear(); }

void Progress::frame_done(const std::string& what) {
  const std::lock_guard lock(mutex_);
  ++frames_;
  const auto now = Clock::now();
  const Clock::duration pause = terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLine);
  if (now - drawn_ < pause) return;
  drawn_ = now;
  draw(what);
}

void Progress::run_done(const std::string& summary) {
  const std::lock_guard lock(mutex_);
  ++runs_done_;
  clear();
  std::fprintf(stderr, "[%zu/%zu] %s\n", runs_done_, runs_, printable(summary).c_str());
  if (terminal_ && runs_done_ < runs_) draw("");
}

void Progress::say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  clear();
  std::fprintf(stderr, "%s\n", printable(line).c_str());
}

void Progress::draw(const std::string& what) {
  const std::chrono::duration<double> seconds = Clock::now() - start_;
  const std::size_t filled = runs_ > 0 ? kBarWidth * runs_done_ / runs_ : 0;
  const std::string bar = std::string(filled, '#') + std::string(kBarWidth - filled, '.');
  std::fprintf(stderr, "%s[%s] %zu of %zu runs, %zu frames, %.0f s  %s%s",
               terminal_ ? "\r\033[K" : "", bar.c_str(), runs_done_, runs_, frames_,
               seconds.count(), printable(what).c_str(), terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void Progress::clear() {
  if (terminal_) std::fputs("\r\033[K", stderr);
}

}  // namespace cltrack::accuracy
