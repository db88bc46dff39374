// SPDX-License-Identifier: LGPL-2.1-or-later
#include "recorder.h"

#include <gst/video/video.h>

#include <algorithm>
#include <utility>

#include "cltrack/error.h"
#include "cltrack/tracker.h"
#include "metadata/track_meta.h"

namespace track_video {
namespace {

using std::chrono::steady_clock;

constexpr auto kBuffers = GST_PAD_PROBE_TYPE_BUFFER;
constexpr auto kBuffersAndEvents = static_cast<GstPadProbeType>(
    int{GST_PAD_PROBE_TYPE_BUFFER} | int{GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM});

void add_probe(GstElement* element, const char* pad_name, GstPadProbeType type,
               GstPadProbeCallback callback, gpointer user_data) {
  const Ptr<GstPad> pad(gst_element_get_static_pad(element, pad_name));
  gst_pad_add_probe(pad.get(), type, callback, user_data, nullptr);
}

}  // namespace

Recorder::Recorder(const Options& options, const Pipeline& pipeline,
                   std::function<void(const std::string&)> fail)
    : options_(options),
      pipeline_(pipeline),
      fail_(std::move(fail)),
      reports_(options.video.filename().string(), true),
      album_(options.targets, options.video.filename().string()) {
  gst_segment_init(&segment_, GST_FORMAT_TIME);
  add_probe(pipeline.tracker, "sink", kBuffersAndEvents, on_input, this);
  add_probe(pipeline.tracker, "src", kBuffersAndEvents, on_output, this);
  if (pipeline.overlay != nullptr) {
    add_probe(pipeline.overlay, "src", GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event, this);
  }
  if (options.write_pictures) add_probe(pipeline.overlay, "src", kBuffers, on_annotated, this);
  // The annotated video begins with the first frame that is tracked.
  const Ptr<GstPad> out(gst_element_get_static_pad(pipeline.tracker, "src"));
  gst_pad_set_offset(out.get(), -static_cast<gint64>(options.start * 1e9));
}

GstPadProbeReturn Recorder::on_input(GstPad* pad, GstPadProbeInfo* info, gpointer self) {
  auto& recorder = *static_cast<Recorder*>(self);
  if ((info->type & GST_PAD_PROBE_TYPE_BUFFER) == 0) {
    GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT) {
      gst_event_copy_segment(event, &recorder.segment_);
    }
    return GST_PAD_PROBE_OK;
  }
  if (recorder.skips(GST_PAD_PROBE_INFO_BUFFER(info))) return GST_PAD_PROBE_DROP;
  try {
    if (recorder.writer_ == nullptr) recorder.start(pad);
  } catch (const std::exception& error) {
    recorder.fail_(error.what());
    return GST_PAD_PROBE_DROP;
  }
  recorder.entered_ = steady_clock::now();
  return GST_PAD_PROBE_OK;
}

GstPadProbeReturn Recorder::on_output(GstPad*, GstPadProbeInfo* info, gpointer self) {
  auto& recorder = *static_cast<Recorder*>(self);
  try {
    if ((info->type & GST_PAD_PROBE_TYPE_BUFFER) != 0) {
      recorder.tracking_seconds_ +=
          std::chrono::duration<double>(steady_clock::now() - recorder.entered_).count();
      recorder.record(GST_PAD_PROBE_INFO_BUFFER(info));
    } else if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_EOS) {
      recorder.write(recorder.reports_.observe_end("the stream has ended"));
    }
  } catch (const std::exception& error) {
    recorder.fail_(error.what());
  }
  return GST_PAD_PROBE_OK;
}

// In the same thread as on_output(), right after it: the frame is the same.
GstPadProbeReturn Recorder::on_annotated(GstPad* pad, GstPadProbeInfo* info, gpointer self) {
  auto& recorder = *static_cast<Recorder*>(self);
  try {
    const Ptr<GstCaps> caps(gst_pad_get_current_caps(pad));
    GstVideoInfo video;
    if (caps != nullptr && gst_video_info_from_caps(&video, caps.get())) {
      recorder.album_.observe_picture(GST_PAD_PROBE_INFO_BUFFER(info), video);
    }
  } catch (const std::exception& error) {
    recorder.fail_(error.what());
  }
  return GST_PAD_PROBE_OK;
}

// The muxer cannot change its caps, and the first ones may be those of a video that is not upright
// yet: what says so comes after them, and before the first frame. Events that a pad of a source has
// not got rid of are sent again, in their order, before a frame.
GstPadProbeReturn Recorder::on_event(GstPad*, GstPadProbeInfo* info, gpointer self) {
  const auto& recorder = *static_cast<Recorder*>(self);
  const GstEventType type = GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info));
  const bool can_wait = (int{type} & int{GST_EVENT_TYPE_STICKY}) != 0 &&
                        type != GST_EVENT_STREAM_START && type != GST_EVENT_EOS;
  return recorder.writer_ == nullptr && can_wait ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

// The first frame: the file has video, and its size is known. Files of an earlier run are not
// changed before this.
void Recorder::start(GstPad* pad) {
  const Ptr<GstCaps> caps(gst_pad_get_current_caps(pad));
  GstVideoInfo video;
  if (caps == nullptr || !gst_video_info_from_caps(&video, caps.get())) return;
  for (const auto& target : options_.targets) {
    try {
      cltrack::clip_target(target.box, video.width, video.height);
    } catch (const cltrack::Error& error) {
      throw std::runtime_error("box " + to_string(target.box) +
                               " does not fit the video, which is " + std::to_string(video.width) +
                               " x " + std::to_string(video.height) + " pixels: " + error.what());
    }
  }
  if (pipeline_.size_filter != nullptr) {
    // 4:2:0 needs even sides. Size and shape are fixed because muxers cannot change theirs.
    const Ptr<GstCaps> fixed(gst_caps_new_simple(
        "video/x-raw", "format", G_TYPE_STRING, "I420", "width", G_TYPE_INT,
        std::max(2, video.width & ~1), "height", G_TYPE_INT, std::max(2, video.height & ~1),
        "pixel-aspect-ratio", GST_TYPE_FRACTION, video.par_n, video.par_d, nullptr));
    g_object_set(pipeline_.size_filter, "caps", fixed.get(), nullptr);
  }
  reports_.observe_caps(caps.get());
  writer_ = std::make_unique<BoxWriter>(options_.output);
}

void Recorder::write(const std::vector<cltrack::gst::Message>& messages) {
  if (writer_ == nullptr) return;
  for (const cltrack::gst::Message& message : messages) writer_->write(message.text);
}

// Drops frames instead of seeking, because this is exact and works with every file.
bool Recorder::skips(GstBuffer* buffer) {
  const GstClockTime time =
      gst_segment_to_stream_time(&segment_, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
  const auto start = static_cast<GstClockTime>(options_.start * static_cast<double>(GST_SECOND));
  if (frames_ > 0 || !GST_CLOCK_TIME_IS_VALID(time) || time >= start) return false;
  ++skipped_;
  return true;
}

void Recorder::record(GstBuffer* buffer) {
  if (writer_ == nullptr) return;
  const GstClockTime time =
      gst_segment_to_stream_time(&segment_, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
  if (GST_CLOCK_TIME_IS_VALID(time)) position_ = time;
  const double seconds = GST_CLOCK_TIME_IS_VALID(time)
                             ? static_cast<double>(time) / static_cast<double>(GST_SECOND)
                             : -1;
  std::vector<Row> rows;
  const auto regions = cltrack::gst::read_tracks(buffer);
  for (std::size_t i = 0; i < options_.targets.size(); ++i) {
    const auto id = i + 1;  // targets get their ids in the order in which they are given
    Row row;
    row.frame = skipped_ + frames_;
    row.seconds = seconds;
    row.id = id;
    row.label = options_.targets[i].label;
    const auto region = std::ranges::find_if(
        regions, [id](const auto& candidate) { return candidate.id == static_cast<int>(id); });
    if (region != regions.end()) {
      row.state = region->state.value_or(cltrack::TrackState::tracking);
      row.confidence = region->confidence.value_or(0.0f);
      row.box = region->box;
    }
    writer_->write(row);
    summary_.add(row.id, row.label, row.state, row.frame, row.seconds);
    rows.push_back(std::move(row));
  }
  write(reports_.observe_buffer(buffer, segment_, cltrack::gst::PublishMode::every_frame));
  if (options_.write_pictures) album_.observe(rows);
  ++frames_;
}

}  // namespace track_video
