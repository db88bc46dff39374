// SPDX-License-Identifier: LGPL-2.1-or-later
// Watches the pads of cltracker: checks the targets against the size of the video, reads the boxes
// off every frame, writes them down, collects pictures and takes the tracker's time. Keeps frames
// before --start from the tracker.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "album.h"
#include "box_writer.h"
#include "options.h"
#include "pipeline.h"
#include "publish/track_reports.h"
#include "summary.h"

namespace track_video {

class Recorder {
 public:
  // `fail` is called, from a streaming thread, with what makes it senseless to go on. Both
  // arguments and this object must outlive the pipeline's running.
  Recorder(const Options& options, const Pipeline& pipeline,
           std::function<void(const std::string&)> fail);

  // May be read while the pipeline runs.
  std::uint64_t decoded() const { return skipped_ + frames_; }
  std::uint64_t frames() const { return frames_; }     // tracked, those before --start left out
  GstClockTime position() const { return position_; }  // of the latest frame with a time

  // To be read when it has ended.
  const Summary& summary() const { return summary_; }
  Album& album() { return album_; }                              // empty without pictures to write
  double tracking_seconds() const { return tracking_seconds_; }  // spent inside cltracker

 private:
  static GstPadProbeReturn on_input(GstPad* pad, GstPadProbeInfo* info, gpointer self);
  static GstPadProbeReturn on_output(GstPad* pad, GstPadProbeInfo* info, gpointer self);
  static GstPadProbeReturn on_event(GstPad* pad, GstPadProbeInfo* info, gpointer self);
  static GstPadProbeReturn on_annotated(GstPad* pad, GstPadProbeInfo* info, gpointer self);
  void start(GstPad* pad);
  bool skips(GstBuffer* buffer);
  void record(GstBuffer* buffer);
  void write(const std::vector<cltrack::gst::Message>& messages);

  const Options& options_;
  const Pipeline& pipeline_;
  const std::function<void(const std::string&)> fail_;
  std::unique_ptr<BoxWriter> writer_;
  cltrack::gst::TrackReports reports_;
  Summary summary_;
  Album album_;
  GstSegment segment_;
  std::atomic<std::uint64_t> skipped_ = 0;  // frames before --start
  std::atomic<std::uint64_t> frames_ = 0;
  std::atomic<GstClockTime> position_ = GST_CLOCK_TIME_NONE;
  std::chrono::steady_clock::time_point entered_;  // latest frame's
  double tracking_seconds_ = 0;
};

}  // namespace track_video
