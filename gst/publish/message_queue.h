// SPDX-License-Identifier: LGPL-2.1-or-later
// The messages that wait to be sent, and those that are under way: sent, but not yet known to have
// arrived. There are at most so many of both, but for one that always may wait. What was under way
// when a connection ended is sent again, with a mark, because it may have arrived.
//
// Threading: push() and counts() on any thread, the rest on the one that sends. None waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

namespace cltrack::gst {

struct Message {
  enum class Kind { tracks, event };
  Kind kind = Kind::tracks;
  std::string text;  // JSON, without the end of the line
};

// Stands for a message that is under way.
using Ticket = std::uint64_t;

struct QueueCounts {
  std::size_t waiting = 0;
  std::size_t under_way = 0;
  std::uint64_t sent = 0;
  std::uint64_t dropped = 0;
};

class MessageQueue {
 public:
  // `most`: messages that have not arrived yet, from 1.
  explicit MessageQueue(std::size_t most) : most_(most) {}

  // Drops the oldest one that waits if there are too many.
  void push(Message message);

  struct Sending {
    Ticket ticket;
    const Message* message;  // valid until the next call of done(), give_back() or discard()
  };
  // The oldest one that waits, which from now on is under way.
  std::optional<Sending> take();

  // It has arrived.
  void done(Ticket ticket);

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

  void drop_surplus();

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::deque<Entry> waiting_;
  std::deque<Entry> under_way_;
  Ticket next_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace cltrack::gst
