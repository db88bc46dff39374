// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/publisher.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <system_error>
#include <utility>

#include "cltrack/error.h"

GST_DEBUG_CATEGORY_EXTERN(gst_track_publish_debug);
#define GST_CAT_DEFAULT gst_track_publish_debug

namespace cltrack::gst {
namespace {

void post_dropped(GstElement* element, const PublishReport& report) {
  GST_WARNING_OBJECT(element, "%s: %" G_GUINT64_FORMAT " messages dropped: %s",
                     report.outlet.c_str(), static_cast<guint64>(report.count),
                     report.reason.c_str());
  gst_element_post_message(
      element, gst_message_new_element(
                   GST_OBJECT(element),
                   gst_structure_new("trackpublish-dropped", "dropped", G_TYPE_UINT64,
                                     static_cast<guint64>(report.count), "total", G_TYPE_UINT64,
                                     static_cast<guint64>(report.counts.dropped), "waiting",
                                     G_TYPE_UINT64, static_cast<guint64>(report.counts.waiting),
                                     "reason", G_TYPE_STRING, report.reason.c_str(), nullptr)));
}

const char* name_of(PublishReport::Kind kind) {
  if (kind == PublishReport::Kind::connected) return "connected";
  return kind == PublishReport::Kind::lost ? "lost" : "failed";
}

}  // namespace

void post_report(GstElement* element, const PublishReport& report) {
  if (report.kind == PublishReport::Kind::dropped) {
    post_dropped(element, report);
    return;
  }
  const char* state = name_of(report.kind);
  GST_INFO_OBJECT(element, "%s: %s %s", report.outlet.c_str(), state, report.reason.c_str());
  gst_element_post_message(
      element, gst_message_new_element(
                   GST_OBJECT(element),
                   gst_structure_new("trackpublish-connection", "state", G_TYPE_STRING, state,
                                     "address", G_TYPE_STRING, report.outlet.c_str(), "reason",
                                     G_TYPE_STRING, report.reason.c_str(), "waiting", G_TYPE_UINT64,
                                     static_cast<guint64>(report.counts.waiting), nullptr)));
  if (report.kind == PublishReport::Kind::connected) return;
  GST_ELEMENT_WARNING(element, RESOURCE, OPEN_WRITE,
                      ("%s: %s. The pipeline goes on, and tries again", report.outlet.c_str(),
                       report.reason.c_str()),
                      (nullptr));
}

namespace {

using std::chrono::milliseconds;

// Keep-alive messages of brokers need a look now and then.
constexpr milliseconds kLongestWait{1000};
// Not each drop is reported: while a broker is gone there is one for each message.
constexpr milliseconds kBetweenReports{1000};

// To write into a pipe or a socket that nobody reads must be an error and not the end of the
// program. The signal goes to the thread that writes.
void block_broken_pipes() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

Publisher::Publisher(std::unique_ptr<Outlet> outlet, const QueueLimits& limits, Listener listener)
    : queue_(limits),
      listener_(std::move(listener)),
      outlet_(std::move(outlet)),
      is_in_use_(outlet_->is_open()) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::failed, std::string("no thread can be started that sends messages (") +
                                       error.what() +
                                       "): allow more of them (ulimit -u, TasksMax)");
  }
}

Publisher::~Publisher() { stop(milliseconds::zero()); }

void Publisher::publish(Message message) {
  queue_.push(std::move(message));
  wake_.notify();
}

void Publisher::move_to(std::unique_ptr<Outlet> outlet) {
  {
    const std::lock_guard lock(orders_mutex_);
    new_outlet_ = std::move(outlet);
  }
  wake_.notify();
}

void Publisher::stop(milliseconds flush) {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(orders_mutex_);
    stop_at_ = Clock::now() + flush;
  }
  wake_.notify();
  thread_.join();
}

bool Publisher::goes_on() {
  const std::lock_guard lock(orders_mutex_);
  if (!stop_at_) return true;
  const QueueCounts counts = queue_.counts();
  return counts.waiting + counts.under_way > 0 && Clock::now() < *stop_at_;
}

void Publisher::take_new_outlet() {
  std::unique_ptr<Outlet> outlet;
  {
    const std::lock_guard lock(orders_mutex_);
    outlet = std::move(new_outlet_);
  }
  if (!outlet) return;
  close();
  outlet_ = std::move(outlet);
  backoff_.reset();
  reported_failures_.clear();
  is_doubtful_ = false;
  next_try_ = Clock::now();
}

milliseconds Publisher::longest_wait() {
  const auto until = [](Clock::time_point time) {
    // Rounded up, so as not to wake too early again and again.
    return std::chrono::duration_cast<milliseconds>(time - Clock::now()) + milliseconds(1);
  };
  milliseconds longest = kLongestWait;
  if (!is_in_use_) longest = std::min(longest, until(next_try_));
  const std::lock_guard lock(orders_mutex_);
  if (stop_at_) longest = std::min(longest, until(*stop_at_));
  return std::max(longest, milliseconds::zero());
}

void Publisher::open_or_wait() {
  if (Clock::now() < next_try_) {
    wake_.wait(longest_wait());
    return;
  }
  is_in_use_ = true;  // whatever comes of it is to be closed
  outlet_->open();
}

void Publisher::send() {
  while (outlet_->is_ready()) {
    const auto sending = queue_.take();
    if (!sending) return;
    outlet_->send(sending->ticket, *sending->message);
  }
}

void Publisher::observe_connected() {
  if (is_connected_ || !outlet_->is_open()) return;
  is_connected_ = true;
  if (!is_doubtful_) tell_connected();
}

void Publisher::tell_connected() {
  has_reported_connected_ = true;
  listener_({PublishReport::Kind::connected, outlet_->name(), {}, 0, queue_.counts()});
}

void Publisher::observe_outcome() {
  for (const Outlet::Refusal& refusal : outlet_->take_refused()) {
    queue_.refused(refusal.ticket);
    drop_reason_ = refusal.reason;
  }
  const std::vector<Ticket> arrived = outlet_->take_sent();
  if (arrived.empty()) return;
  for (const Ticket ticket : arrived) queue_.done(ticket);
  backoff_.reset();
  reported_failures_.clear();
  is_doubtful_ = false;
  has_arrived_ = true;
  if (!has_reported_connected_) tell_connected();
}

void Publisher::close() {
  outlet_->close();
  observe_outcome();
  is_in_use_ = false;
  is_connected_ = false;
  has_arrived_ = false;
  has_reported_connected_ = false;
  queue_.give_back();
}

void Publisher::observe_end(const char* reason) {
  observe_outcome();
  const QueueCounts counts = queue_.counts();
  const bool has_to_send = counts.waiting + counts.under_way > 0;
  if (is_connected_ && !has_arrived_ && has_to_send) is_doubtful_ = true;
  const bool was_told = has_reported_connected_;
  close();
  next_try_ = Clock::now() + backoff_.next();
  const bool is_new = reported_failures_.insert(reason).second;
  if (!was_told && !is_new) return;
  const auto kind = was_told ? PublishReport::Kind::lost : PublishReport::Kind::failed;
  listener_({kind, outlet_->name(), reason, 0, queue_.counts()});
}

void Publisher::report_dropped(bool now) {
  const QueueCounts counts = queue_.counts();
  if (counts.dropped == reported_drops_ || (!now && Clock::now() < next_report_)) return;
  next_report_ = Clock::now() + kBetweenReports;
  listener_({PublishReport::Kind::dropped, outlet_->name(), drop_reason_,
             counts.dropped - reported_drops_, counts});
  reported_drops_ = counts.dropped;
  drop_reason_ = kQueueIsFull;
}

void Publisher::step() {
  try {
    wake_.clear();
    if (!is_in_use_) open_or_wait();
    if (!is_in_use_) return;
    observe_connected();
    send();
    outlet_->wait(wake_.descriptor(), longest_wait());
    observe_connected();
    observe_outcome();
  } catch (const std::exception& error) {
    observe_end(error.what());
  }
}

void Publisher::run() {
  block_broken_pipes();
  while (goes_on()) {
    take_new_outlet();
    step();
    report_dropped(false);
  }
  close();
  report_dropped(true);
  queue_.discard();
  drop_reason_ = "stopped before it was sent";
  report_dropped(true);
}

}  // namespace cltrack::gst
