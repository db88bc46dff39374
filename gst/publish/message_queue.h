// SPDX-License-Identifier: LGPL-2.1-or-later
// The queue between the streaming thread and the publisher's thread, and how that one is woken.
#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "cltrack/error.h"

namespace cltrack::gst {

// Wakes a thread that waits in poll().
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

// The messages that wait to be sent, and those that are under way: sent, but not yet known to have
// arrived. There are at most so many of both, and so many bytes, but for one that always may wait.
// What was under way when a connection ended is sent again, with a mark, because it may have
// arrived.
//
// Threading: push() and counts() on any thread, the rest on the one that sends. None waits.

struct Message {
  enum class Kind { tracks, event, zone };
  Kind kind = Kind::tracks;
  std::string text;       // JSON, without the end of the line
  std::string zone = {};  // of Kind::zone: its name
};

// Stands for a message that is under way.
using Ticket = std::uint64_t;

struct QueueCounts {
  std::size_t waiting = 0;
  std::size_t under_way = 0;
  std::uint64_t sent = 0;
  std::uint64_t dropped = 0;
  std::uint64_t bytes = 0;  // of those that wait or are under way
};

struct QueueLimits {
  std::size_t messages;  // that have not arrived yet, from 1
  std::uint64_t bytes;
};

class MessageQueue {
 public:
  explicit MessageQueue(const QueueLimits& most) : most_(most) {}

  // Drops the oldest ones that wait if there are too many.
  void push(Message message);

  struct Sending {
    Ticket ticket;
    const Message* message;  // valid until the next call of done(), give_back() or discard()
  };
  // The oldest one that waits, which from now on is under way.
  std::optional<Sending> take();

  // It has arrived.
  void done(Ticket ticket);
  // It was refused, and is dropped.
  void refused(Ticket ticket);

  // All that was under way waits again, before the others, in the order in which it was taken.
  void give_back();

  // Drops everything.
  void discard();

  QueueCounts counts() const;

 private:
  struct Entry {
    Ticket ticket;
    Message message;
  };

  // Whether it was there.
  bool remove_under_way(Ticket ticket);
  bool is_too_full() const;
  void drop_surplus();

  const QueueLimits most_;
  mutable std::mutex mutex_;
  std::deque<Entry> waiting_;
  std::deque<Entry> under_way_;
  Ticket next_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace cltrack::gst
