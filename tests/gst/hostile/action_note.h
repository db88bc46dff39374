// SPDX-License-Identifier: LGPL-2.1-or-later
// The next action of a fuzz test, so that it can be repeated: printed with every failure, and when
// a signal or a sanitizer stops the program.
#pragma once

#include <string>

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

}  // namespace cltrack::test
