// SPDX-License-Identifier: LGPL-2.1-or-later
// How long to wait before the next try: twice as long after each failure, up to a bound.
#pragma once

#include <algorithm>
#include <chrono>

namespace cltrack::gst {

class Backoff {
 public:
  static constexpr std::chrono::milliseconds kFirst{100};
  static constexpr std::chrono::milliseconds kLongest{5000};

  std::chrono::milliseconds next() {
    const std::chrono::milliseconds now = wait_;
    wait_ = std::min(2 * wait_, kLongest);
    return now;
  }
  void reset() { wait_ = kFirst; }

 private:
  std::chrono::milliseconds wait_ = kFirst;
};

}  // namespace cltrack::gst
