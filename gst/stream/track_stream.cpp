// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/track_stream.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "metadata/track_messages.h"
#include "ops/filter/filter_colors.h"
#include "overlay/raster.h"
#include "pictures/mapped_frame.h"
#include "scoped.h"

GST_DEBUG_CATEGORY_EXTERN(gst_cl_tracker_base_debug);
#define GST_CAT_DEFAULT gst_cl_tracker_base_debug

namespace cltrack::gst {

// The mutex must be held.
void TrackStream::drop_tracker(const std::string& reason) {
  if (!tracker_) return;
  latest_stats_ = tracker_->stats();
  targets_.end(reason);
  detections_.reset();
  latest_.clear();
  tracker_.reset();
  lender_.close();
}

void TrackStream::forget() {
  const std::lock_guard lock(mutex_);
  drop_tracker("the element has stopped");
  lender_.forget_later_device();
  targets_.take_changes();  // nobody asks about those any more
  tracks_.clear();
  history_.reset();
  stream_time_.reset();
  time_.reset();
  has_picture_ = is_looked_at_ = had_detections_ = false;
  sample_.reset();
  first_ = true;
  lacks_analytics_ = false;
  reported_idle_ = false;
}

// A flush or a change of state must not wait for a frame of many targets.
void TrackStream::request_stop() {
  const std::lock_guard lock(stop_mutex_);
  stop_.request_stop();
}

void TrackStream::allow() {
  const std::lock_guard lock(stop_mutex_);
  if (stop_.stop_requested()) stop_ = {};
}

std::stop_token TrackStream::stop_token() const {
  const std::lock_guard lock(stop_mutex_);
  return stop_.get_token();
}

PictureRoutes TrackStream::routes() const {
  const std::lock_guard lock(mutex_);
  return lender_.routes();
}

std::optional<DeviceInfo> TrackStream::later_device() const {
  const std::lock_guard lock(mutex_);
  return lender_.later_device();
}

// Equal for equal pictures.
std::size_t TrackStream::sample_of(GstBuffer* buffer) const {
  if (const void* const memory = BufferLender::identity(buffer)) {
    return std::hash<const void*>()(memory);
  }
  return MappedFrame(buffer, info_, MapMode::read).sample();
}

TrackerStats TrackStream::stats() const {
  const std::lock_guard lock(mutex_);
  return tracker_ ? tracker_->stats() : latest_stats_;
}

SavedModel TrackStream::save(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  return targets_.save(id);
}

// Which of the tracks detections of the buffer's picture have confirmed.
void TrackStream::link_detections(const std::vector<Detection>& detections,
                                  const DetectedFrame& detected) {
  detected_.clear();
  objects_.clear();
  for (const auto& [id, index] : detections_.confirmed()) {
    if (index >= detected.indices.size()) continue;
    const Detection& detection = detections[detected.indices[index]];
    if (detection.meta != nullptr) detected_[id] = detection.meta;
    if (detection.object) objects_[id] = *detection.object;
  }
}

// Leaves the tracks of the buffer's picture in tracks_. Returns false if there is nothing to track.
// The map is released when this returns.
bool TrackStream::track(StreamTracker& source, GstBuffer* buffer, const Look& look,
                        FrameContext& context) {
  std::unique_lock lock(mutex_);
  if (!tracker_) {
    // It may wait for programs that are being built: who asks for `stats` does not.
    lock.unlock();
    std::unique_ptr<Tracker> made = source.make_tracker();
    lock.lock();
    tracker_ = std::move(made);
    targets_.begin(*tracker_, source.uses_color());
    time_.forget_counts();
    lender_.reset();
  }
  source.prepare(*tracker_, context);
  targets_.apply_commands(context.width, context.height, context.warnings);
  BufferDetections read;
  if (context.detections.use != DetectionUse::ignore) read = read_detections(buffer);
  const std::vector<DetectedObject> found(read.detections.begin(), read.detections.end());
  DetectedFrame detected =
      count_detections(context.detections, found, read.is_round, context.width, context.height);
  detected.infers_rounds = true;
  detected.interval = context.detections.interval;
  // Nothing can be learnt twice from one picture. What is asked for acts all the same, and so do
  // the first detections on it.
  const bool has_detections = detected.is_round || !detected.labels.empty();
  const bool is_news = has_detections && !had_detections_;
  if (look.repeats && !is_news && !targets_.has_changes()) {
    link_detections(read.detections, detected);
    return !targets_.empty();
  }
  had_detections_ = has_detections;
  sample_.reset();
  tracks_.clear();
  std::optional<MappedFrame> map;
  DetectionFrame detection_frame{
      context.width, context.height, look.now.time, look.now.follows(), {}};
  if (!detected.detections.empty()) {
    map.emplace(buffer, info_, MapMode::read);
    detection_frame.picture = map->color();
    if (detection_frame.picture.empty()) detection_frame.picture = luma_picture(map->luma(luma_));
  }
  detections_.before(context.detections, detected, detection_frame, targets_, context.warnings);
  link_detections(read.detections, detected);
  if (targets_.empty()) return false;

  // What has been mapped for detections stays.
  const std::shared_ptr<TrackerDevices> devices = source.devices();
  const bool is_mapped = map.has_value();
  const BufferLender::Loan loan =
      is_mapped ? BufferLender::Loan()
                : lender_.lend(buffer, info_, devices.get(), source.uses_color(), context.warnings);
  Frame frame;
  frame.on_device = loan.picture();
  if (frame.on_device.empty()) {
    if (!map) map.emplace(buffer, info_, MapMode::read);
    frame.color = map->color();
    if (!source.uses_color()) frame.luma = map->luma(luma_);
    if (is_mapped || !BufferLender::is_elsewhere(buffer)) {
      const void* const data =
          frame.luma.data != nullptr ? frame.luma.data : frame.color.components[0].data;
      lender_.count_mapped(buffer, data, devices.get(), "detections are compared on the host");
    }
  }
  sample_ = BufferLender::identity(buffer) != nullptr ? sample_of(buffer) : map->sample();
  const GstClockTime pts = GST_BUFFER_PTS(buffer);
  if (GST_CLOCK_TIME_IS_VALID(pts)) frame.pts = static_cast<gint64>(pts);
  frame.discontinuity = !look.now.follows();
  frame.effort = look.effort;
  frame.near_only = detections_.will_find_again();
  frame.stop = stop_token();
  const std::span<const Track> tracks = tracker_->process(frame);
  tracks_.assign(tracks.begin(), tracks.end());
  if (context.detections.use != DetectionUse::ignore) detections_.after(tracks_, targets_);
  for (std::string& warning : tracker_->take_warnings()) {
    context.tracker_warnings.push_back(std::move(warning));
  }
  return true;
}

// Those that repeat pictures and those that fill holes with neutral pixels, which say nothing about
// the targets, mark both alike.
TrackStream::Picture TrackStream::observe_picture(GstBuffer* buffer) {
  const bool is_gap = GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP);
  has_picture_ = has_picture_ || !is_gap;
  if (!has_picture_) return Picture::fills_a_hole;
  if (!is_gap || !sample_) return Picture::is_new;
  if (sample_of(buffer) != sample_) return Picture::fills_a_hole;
  return is_looked_at_ ? Picture::repeats : Picture::is_new;
}

void TrackStream::process(GstBaseTransform* element, StreamTracker& source, GstBuffer* buffer,
                          const BaseSettings& settings) {
  Look look{.now = stream_time_.observe_buffer(buffer)};
  if (look.now.continuity == Continuity::new_stream) {
    GST_INFO_OBJECT(element, "a new stream begins: all models are dropped");
    const std::lock_guard lock(mutex_);
    drop_tracker("another stream has begun");
    history_.reset();
    sample_.reset();
    has_picture_ = false;
  }
  const Picture picture = observe_picture(buffer);
  if (picture == Picture::fills_a_hole) {
    stream_time_.not_looked_at();
    return;
  }
  const BufferTimes times = times_of(buffer, element->segment);
  look.repeats = picture == Picture::repeats && look.now.follows();
  if (look.repeats) {
    track_and_annotate(element, source, buffer, settings, times, look);
    return;
  }
  const FrameEffort effort =
      first_ ? FrameEffort::full : time_.begin(element, times, look.now, settings.max_latency);
  is_looked_at_ = false;
  if (effort == FrameEffort::none) {
    // Motion goes on from the picture before: the frame that is looked at next has its time.
    stream_time_.not_looked_at();
    if (sample_) sample_ = sample_of(buffer);
    gst_pad_push_event(GST_BASE_TRANSFORM_SRC_PAD(element), make_skipped_event(name_of(element)));
    write_analytics(buffer, {}, history_, GST_VIDEO_INFO_WIDTH(&info_),
                    GST_VIDEO_INFO_HEIGHT(&info_));
    time_.end(element, times, effort, true);
    return;
  }
  look.effort = effort_of(effort);
  const bool tracked = track_and_annotate(element, source, buffer, settings, times, look);
  is_looked_at_ = true;
  time_.end(element, times, effort, tracked);
}

// Returns false if there is nothing to track.
bool TrackStream::track_and_annotate(GstBaseTransform* element, StreamTracker& source,
                                     GstBuffer* buffer, const BaseSettings& settings,
                                     const BufferTimes& times, const Look& look) {
  FrameContext context{.width = GST_VIDEO_INFO_WIDTH(&info_),
                       .height = GST_VIDEO_INFO_HEIGHT(&info_),
                       .first = first_,
                       .may_learn = !GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_CORRUPTED),
                       .algorithm = source.algorithm(),
                       .warnings = {},
                       .tracker_warnings = {},
                       .targets = targets_};
  const PictureRoutes& routes = lender_.routes();
  const bool had_device = lender_.later_device().has_value();
  const bool had_copied = routes.copied > 0, had_mapped = routes.mapped > 0;
  const bool tracked = track(source, buffer, look, context);
  first_ = false;
  // Upstream asks again whose memory it shall write to.
  if (!had_device && lender_.later_device()) gst_base_transform_reconfigure_sink(element);
  if (!had_copied && routes.copied > 0) {
    GST_INFO_OBJECT(element, "pictures are copied within the GPU: %s",
                    routes.copied_because.c_str());
  }
  if (!had_mapped && routes.mapped > 0) {
    GST_INFO_OBJECT(element, "pictures come through the host: %s", routes.reason.c_str());
  }
  if (!tracked && !reported_idle_) {
    reported_idle_ = true;
    GST_INFO_OBJECT(element,
                    "there is nothing to track: pictures pass as they are, until properties, "
                    "signals, events or detections give a target");
  }
  if (settings.region_ids == RegionIdKind::detection && !has_analytics() && !lacks_analytics_) {
    lacks_analytics_ = true;
    context.warnings.emplace_back(
        "roi-id=detection needs GstAnalytics, which this build of the plugin has not: regions get "
        "the ids of their tracks. Build it with GStreamer 1.24 or newer (gstreamer-analytics-1.0)");
  }
  latest_.set(settings.navigation ? std::span<const Track>(tracks_) : std::span<const Track>());
  for (const std::string& warning : context.warnings) {
    GST_ELEMENT_WARNING(element, RESOURCE, SETTINGS, ("%s", warning.c_str()), (nullptr));
  }
  for (const std::string& warning : context.tracker_warnings) {
    GST_ELEMENT_WARNING(element, RESOURCE, FAILED, ("%s", warning.c_str()), (nullptr));
  }
  for (const TargetChange& change : targets_.take_changes()) {
    post_change(GST_ELEMENT(element), change, times);
    if (change.action == TargetChange::Action::removed) {
      gst_pad_push_event(GST_BASE_TRANSFORM_SRC_PAD(element),
                         make_removed_event(name_of(element), change.id, change.label));
    }
  }
  const auto before = history_.observe_tracks(tracks_, times.running_time, !look.now.follows());
  const ObjectIds objects =
      write_analytics(buffer, tracks_, history_, context.width, context.height, objects_);
  if (!tracked) return false;

  if (settings.draw_rect && !tracks_.empty()) {
    MappedFrame mapped(buffer, info_, MapMode::read_write);
    draw_outlines(mapped.video_frame(), tracks_);
  }
  write_tracks(buffer, tracks_, {name_of(element), context.algorithm}, context.width,
               context.height, detected_,
               settings.region_ids == RegionIdKind::detection ? objects : ObjectIds{});
  post_states(GST_ELEMENT(element), settings.reports, tracks_, before, times);
  return true;
}

}  // namespace cltrack::gst
