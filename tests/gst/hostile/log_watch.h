// SPDX-License-Identifier: LGPL-2.1-or-later
// Collects warnings of GLib, GStreamer, Pango and other libraries.
#pragma once

#include <string>
#include <vector>

namespace cltrack::test {

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
