// SPDX-License-Identifier: LGPL-2.1-or-later
#include "interrupt.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>

namespace track_video {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

volatile std::sig_atomic_t interrupted = 0;
timer_t timer;
itimerspec limit = {};

// What handlers call is safe in them, and waits for nobody: any thread may hold any lock.
void on_interrupt(int) {
  if (interrupted != 0) _exit(kInterruptedStatus);
  interrupted = 1;
  timer_settime(timer, 0, &limit, nullptr);
}

void on_limit(int) {
  constexpr std::string_view kText =
      "\ntrack-video: the pipeline does not stop; ended, with the files incomplete\n";
  pollfd error_stream = {.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  const bool takes_text = poll(&error_stream, 1, 0) > 0 && (error_stream.revents & POLLOUT) != 0;
  if (takes_text) [[maybe_unused]]
    const auto written = write(STDERR_FILENO, kText.data(), kText.size());
  _exit(kInterruptedStatus);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts(std::chrono::duration<double> time_to_stop) {
  const auto time = std::chrono::duration_cast<nanoseconds>(time_to_stop);
  limit.it_value.tv_sec = static_cast<time_t>(time / seconds(1));
  limit.it_value.tv_nsec = static_cast<long>((time % seconds(1)).count());
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) {
    throw std::system_error(errno, std::generic_category(), "no timer for Ctrl-C");
  }
  handle(SIGALRM, on_limit);
  handle(SIGINT, on_interrupt);
  handle(SIGTERM, on_interrupt);
}

bool is_interrupted() { return interrupted != 0; }

}  // namespace track_video
