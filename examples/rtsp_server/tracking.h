// SPDX-License-Identifier: LGPL-2.1-or-later
// The pipeline that tracks, whoever watches:
//
//   source ! videoconvert ! cltracker ! trackoverlay ! videoconvert ! appsink
//
// It goes on when the source is gone and comes back, and when a file begins anew: then the boxes of
// the command line are given to the first picture again.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "examples/track_video/gst_ptr.h"
#include "options.h"

namespace rtsp_server {

class Tracking {
 public:
  struct Calls {
    std::function<void(GstSample*)> picture;  // by a streaming thread; all others by the main loop
    std::function<void()> began;              // the first picture has come
    std::function<void()> gone;               // no pictures until `began`
    std::function<void(const std::string& error)> ended;  // for good; the error may be empty
  };

  // Throws std::runtime_error for what is no pipeline.
  Tracking(const Options& options, Calls calls);
  ~Tracking();
  Tracking(const Tracking&) = delete;
  Tracking& operator=(const Tracking&) = delete;

  void start();

 private:
  static GstFlowReturn on_sample(GstElement* sink, gpointer self);
  static gboolean on_message(GstBus* bus, GstMessage* message, gpointer self);
  static gboolean on_again(gpointer self);
  static gboolean on_second(gpointer self);
  void open();
  void close();
  void start_anew();
  void observe_error(GstMessage* message);
  void observe_end();
  void lose(const std::string& why);

  const Options& options_;
  Calls calls_;
  track_video::Ptr<GstElement> pipeline_;  // null while the source is not open
  std::atomic<bool> has_pictures_ = false;
  std::atomic<gint64> last_picture_ = 0;  // monotonic time, us
  guint timer_ = 0;
  guint again_ = 0;
  guint wait_ = 1;  // seconds until the source is opened again
};

}  // namespace rtsp_server
