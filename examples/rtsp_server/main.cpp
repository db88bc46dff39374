// SPDX-License-Identifier: LGPL-2.1-or-later
// rtsp-server: tracks objects in a file or of a camera, and shows the pictures with their boxes to
// RTSP clients.
//
//   rtsp-server [--address IP] [--port N] [--path /PATH] [--loop] SOURCE X,Y,W,H[,LABEL]...
#include <glib-unix.h>
#include <gst/gst.h>

#include <csignal>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "options.h"
#include "restream.h"
#include "tracking.h"

namespace rtsp_server {
namespace {

constexpr gint64 kFarewell =
    5 * G_USEC_PER_SEC;  // in which clients leave when the stream has ended

// Runs until the source has ended, or SIGINT or SIGTERM comes.
class Service {
 public:
  explicit Service(const Options& options)
      : loop_(g_main_loop_new(nullptr, FALSE), g_main_loop_unref),
        restream_(options),
        tracking_(options,
                  {[this](GstSample* sample) { restream_.push(sample); }, [this] { began(); },
                   [this] { gone(); }, [this](const std::string& error) { ended(error); }}) {}

  void run() {
    const guint interrupt = g_unix_signal_add(SIGINT, on_signal, this);
    const guint terminate = g_unix_signal_add(SIGTERM, on_signal, this);
    tracking_.start();
    g_main_loop_run(loop_.get());
    g_source_remove(interrupt);
    g_source_remove(terminate);
    if (!error_.empty()) throw std::runtime_error(error_);
  }

 private:
  void began() {
    if (std::exchange(offered_, true)) return;  // a file has begun anew
    restream_.offer();
    std::cout << "ready: " << restream_.url() << std::endl;
  }

  void gone() {
    offered_ = false;
    restream_.withdraw();
  }

  void ended(const std::string& error) {
    error_ = error;
    if (error.empty()) std::cout << "the source has ended" << std::endl;
    restream_.withdraw();
    restream_.end();
    until_ = g_get_monotonic_time() + kFarewell;
    g_timeout_add(50, on_farewell, this);
  }

  static gboolean on_signal(gpointer self) {
    g_main_loop_quit(static_cast<Service*>(self)->loop_.get());
    return G_SOURCE_CONTINUE;
  }

  static gboolean on_farewell(gpointer self) {
    auto& service = *static_cast<Service*>(self);
    if (service.restream_.clients() > 0 && g_get_monotonic_time() < service.until_) {
      return G_SOURCE_CONTINUE;
    }
    g_main_loop_quit(service.loop_.get());
    return G_SOURCE_REMOVE;
  }

  std::unique_ptr<GMainLoop, decltype(&g_main_loop_unref)> loop_;
  Restream restream_;
  Tracking tracking_;  // ends before what it calls
  bool offered_ = false;
  std::string error_;
  gint64 until_ = 0;
};

}  // namespace
}  // namespace rtsp_server

int main(int argc, char** argv) {
  int status = 1;
  try {
    const auto options = rtsp_server::parse_options(argc, argv);
    rtsp_server::Service(options).run();
    status = 0;
  } catch (const std::exception& error) {
    std::cerr << "rtsp-server: " << error.what() << '\n';
  }
  if (gst_is_initialized()) gst_deinit();  // lets the leak tracer report
  return status;
}
