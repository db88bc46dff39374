// SPDX-License-Identifier: LGPL-2.1-or-later
// Warnings of GLib, GStreamer, Pango and others: what elements cause them to complain about.
#pragma once

#include <string>
#include <vector>

namespace cltrack::test {

// From when it is made until it is gone, keeps warnings and worse instead of printing them. One at
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
