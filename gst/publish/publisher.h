// SPDX-License-Identifier: LGPL-2.1-or-later
// Sends messages on a thread of its own, for as long as it takes: where there is nothing to send
// to, it tries again, and what has come meanwhile is sent later, as far as the queue holds it.
#pragma once

#include <gst/gst.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "publish/message_queue.h"
#include "publish/mqtt_outlet.h"
#include "publish/outlet.h"

namespace cltrack::gst {

// How long to wait before the next try: twice as long after each failure, up to a bound. What opens
// may still fail at the first message, like a full disk: only one that has arrived resets it.
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

// News of the connection, and of messages.
struct PublishReport {
  enum class Kind {
    connected,  // where the connection before ended with nothing sent: reported when something is
    lost,       // it was reported that it is connected
    failed,     // it was not; reported once for each reason until something has been sent
    dropped,    // `count` messages
  };
  Kind kind;
  std::string outlet;  // its name
  std::string reason = {};
  std::uint64_t count = 0;
  QueueCounts counts = {};
};

class Publisher {
 public:
  // On the publisher's thread, or the one that calls stop(); must not call back.
  using Listener = std::function<void(const PublishReport&)>;

  // `outlet` may be open already. Throws Error{failed} if no thread can be started.
  Publisher(std::unique_ptr<Outlet> outlet, const QueueLimits& limits, Listener listener);
  // Stops at once.
  ~Publisher();
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  // Any thread; does not wait.
  void publish(Message message);
  // From now on messages go there, those included that have not arrived yet. Any thread.
  void move_to(std::unique_ptr<Outlet> outlet);
  QueueCounts counts() const { return queue_.counts(); }
  bool is_connected() const { return is_connected_; }

  // Sends what is there for at most `flush`, and drops the rest. Nothing may be published any more.
  void stop(std::chrono::milliseconds flush);

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  // Whether there is more to do.
  bool goes_on();
  void take_new_outlet();
  void step();
  void open_or_wait();
  void send();
  void observe_connected();
  void tell_connected();
  // Takes news of messages.
  void observe_outcome();
  void observe_end(const char* reason);
  void report_dropped(bool now);
  void close();
  std::chrono::milliseconds longest_wait();

  MessageQueue queue_;
  const Listener listener_;
  const Wake wake_;
  std::atomic<bool> is_connected_ = false;

  std::mutex orders_mutex_;
  std::unique_ptr<Outlet> new_outlet_;
  std::optional<Clock::time_point> stop_at_;

  // These belong to the publisher's thread.
  std::unique_ptr<Outlet> outlet_;
  bool is_in_use_ = false;  // is open, or is being opened
  Backoff backoff_;
  Clock::time_point next_try_ = Clock::now();
  Clock::time_point next_report_ = Clock::now();
  std::uint64_t reported_drops_ = 0;
  static constexpr const char* kQueueIsFull = "the queue is full";
  std::string drop_reason_ = kQueueIsFull;  // of those that are not reported yet
  bool has_reported_connected_ = false;     // of the connection that there is
  bool has_arrived_ = false;                // a message, on that connection
  // The last connection ended although there was something to send and nothing had arrived.
  bool is_doubtful_ = false;
  std::set<std::string> reported_failures_;  // since the last message that arrived

  std::thread thread_;  // last: it uses all of the above
};

// Tells the application what becomes of what is published, by element messages:
//   trackpublish-connection  state ("connected"; "lost": it was connected; "failed": it could not
//                            be, or took no message; reported once for each reason until a message
//                            has arrived), address (of the file or broker, as people read it),
//                            reason (string), waiting (uint64, messages)
//   trackpublish-dropped     dropped (since the message before), total, waiting (uint64, messages),
//                            reason (string); at most one a second while the element runs
// and by warnings in the log. What failed is a warning on the bus, too: gst-launch shows it.

// Any thread that holds no lock.
void post_report(GstElement* element, const PublishReport& report);

}  // namespace cltrack::gst
