// SPDX-License-Identifier: LGPL-2.1-or-later
// Progress on stderr: a bar where somebody watches, otherwise a line now and then.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace cltrack::accuracy {

class Progress {
 public:
  explicit Progress(std::size_t runs);
  ~Progress();

  // Safe to call from several threads.
  void frame_done(const std::string& what);
  void run_done(const std::string& summary);
  void say(const std::string& line);  // above the bar

 private:
  using Clock = std::chrono::steady_clock;

  void draw(const std::string& what);
  void clear();

  std::mutex mutex_;
  bool terminal_;
  std::size_t runs_;
  std::size_t runs_done_ = 0;
  std::size_t frames_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_ = start_;
};

}  // namespace cltrack::accuracy
