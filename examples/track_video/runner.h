// SPDX-License-Identifier: LGPL-2.1-or-later
// Runs the pipeline to its end, whatever that is: the end of the video, an error, or Ctrl-C. In
// each case the files are completed first, as far as that is possible.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

#include "options.h"
#include "pipeline.h"
#include "recorder.h"
#include "stall_watch.h"

namespace track_video {

class Runner {
 public:
  explicit Runner(const Options& options);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Returns the process's exit status: 0, 1 after an error, 130 after Ctrl-C.
  int run();

 private:
  static void on_pad_added(GstElement*, GstPad* pad, gpointer self);
  static void on_no_more_pads(GstElement*, gpointer self);
  void fail(const std::string& error);
  std::string first_error();
  bool wait(GstClockTime timeout);
  void keep_error(const std::string& error);
  void observe_error(GstMessage* message);
  void finish();
  void complete_video();
  void write_pictures();
  void tell_stall();
  void show_progress();
  void report();

  const Options& options_;
  Pipeline pipeline_;
  Recorder recorder_;
  Ptr<GstBus> bus_;
  std::mutex mutex_;
  std::string error_;           // the first one; what follows is usually its consequence
  bool ended_ = false;          // EOS came through
  bool output_failed_ = false;  // the annotated video is broken, whatever else comes
  bool video_complete_ = false;
  std::vector<std::filesystem::path> pictures_;  // that were written
  int warnings_ = 0;
  StallWatch stall_;
  std::chrono::steady_clock::time_point next_progress_;
  double seconds_ = 0;
};

}  // namespace track_video
