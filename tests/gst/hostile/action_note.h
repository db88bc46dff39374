// SPDX-License-Identifier: LGPL-2.1-or-later
// What a fuzz test has done and what libraries have said of it.
#pragma once

#include <string>
#include <vector>

namespace cltrack::test {

// One at a time.
class ActionNote {
 public:
  // `where` is what the walk is repeated with, its seed above all.
  explicit ActionNote(std::string where);
  ~ActionNote();
  ActionNote(const ActionNote&) = delete;
  ActionNote& operator=(const ActionNote&) = delete;

  // The other two may be called by several threads.
  void begin_step(int step);
  // To be called before the action. All actions of a step are kept.
  void say(const std::string& action);
  std::string text() const;

 private:
  void start_line();

  std::string where_;
  int step_ = 0;
};

// During its lifetime, keeps warnings and worse messages instead of printing them. One at
// a time; from any thread.
class LogWatch {
 public:
  LogWatch();
  ~LogWatch();
  LogWatch(const LogWatch&) = delete;
  LogWatch& operator=(const LogWatch&) = delete;

  // All since the latest call.
  std::vector<std::string> take();
};

}  // namespace cltrack::test
