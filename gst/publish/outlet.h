// SPDX-License-Identifier: LGPL-2.1-or-later
// Where messages go: a file, a file descriptor, a broker. Made anywhere, then used by one thread,
// the publisher's, which may wait in it; nothing but wait() waits.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "publish/message_queue.h"

namespace cltrack::gst {

class Outlet {
 public:
  virtual ~Outlet() = default;

  // A name for people, without any secrets.
  virtual std::string name() const = 0;

  // Begins to open it. Throws Error with the reason if that cannot be done.
  virtual void open() = 0;
  virtual bool is_open() const = 0;
  // Whether it is open and takes another message now.
  virtual bool is_ready() const = 0;

  // Begins to send a message. Throws as wait() does.
  virtual void send(Ticket ticket, const Message& message) = 0;

  // Goes on with what has begun until something has come of it, `wake` can be read or `longest` is
  // over. Throws Error with the reason if it could not be opened, or is open no longer.
  virtual void wait(int wake, std::chrono::milliseconds longest) = 0;

  // Those of messages that have arrived since the last call.
  virtual std::vector<Ticket> take_sent() = 0;

  struct Refusal {
    Ticket ticket;
    std::string reason;
  };
  // Those that have been refused since the last call, and will not be taken later either.
  virtual std::vector<Refusal> take_refused() { return {}; }

  // Closes it in whatever state it is; open() may follow.
  virtual void close() noexcept = 0;
};

}  // namespace cltrack::gst
