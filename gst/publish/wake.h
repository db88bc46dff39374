// SPDX-License-Identifier: LGPL-2.1-or-later
// Wakes a thread that waits in poll().
#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>

#include "cltrack/error.h"

namespace cltrack::gst {

class Wake {
 public:
  Wake() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) {
      throw Error(ErrorCode::failed, std::string("no eventfd: ") + std::strerror(errno));
    }
  }
  ~Wake() { ::close(descriptor_); }
  Wake(const Wake&) = delete;
  Wake& operator=(const Wake&) = delete;

  // Any thread; does not wait.
  void notify() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(descriptor_, &one, sizeof one);
  }

  // The thread that waits: what was notified until now is known.
  void clear() const {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = ::read(descriptor_, &count, sizeof count);
  }

  void wait(std::chrono::milliseconds longest) const {
    pollfd waited = {descriptor_, POLLIN, 0};
    poll(&waited, 1, static_cast<int>(longest.count()));
  }

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace cltrack::gst
