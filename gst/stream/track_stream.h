// SPDX-License-Identifier: LGPL-2.1-or-later
// The processing of a tracking element: detects new streams, passes each picture to the tracker,
// writes metadata and posts messages.
//
// Threading: the streaming thread, or the one that starts and stops it; stats(), efforts(),
// latest(), time(), save(), request_stop() and allow() on any.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "cltrack/tracker.h"
#include "control/latest_tracks.h"
#include "control/target_control.h"
#include "detections/detection.h"
#include "detections/detection_tracks.h"
#include "metadata/analytics_meta.h"
#include "metadata/track_history.h"
#include "metadata/track_messages.h"
#include "metadata/track_meta.h"
#include "pictures/lent_buffer.h"
#include "properties/base_properties.h"
#include "stream/effort_policy.h"
#include "stream/stream_time.h"
#include "stream/target_update.h"

namespace cltrack::gst {

class TrackStream {
 public:
  // `control` takes the commands of other threads, and must outlive this.
  explicit TrackStream(TargetControl& control) : targets_(control) { gst_video_info_init(&info_); }

  // Pictures of a new size are those of the same scene, resized.
  void set_info(const GstVideoInfo& info) { info_ = info; }
  void observe_event(GstEvent* event) { stream_time_.observe_event(event); }

  // May throw. Holds no lock of the element while it posts messages. Throws Error{interrupted} if a
  // stop is requested before the tracker is done.
  void process(GstBaseTransform* element, StreamTracker& source, GstBuffer* buffer,
               const BaseSettings& settings);

  // Abandons the present buffer, and later ones until allow().
  void request_stop();
  void allow();

  // Nothing is left but the statistics. At the stop, when no more events come; during the start
  // they may already.
  void forget();

  // Statistics of the stream that is running, or else of the latest one.
  TrackerStats stats() const;
  EffortCounts efforts() const { return time_.counts(); }
  PictureRoutes routes() const;
  // See BufferLender.
  std::optional<DeviceInfo> later_device() const;

  // The model of a target, up to the picture before. Throws what TargetSet::save() throws.
  SavedModel save(std::uint64_t id) const;

  // The tracks of the picture before; empty while nobody may point at them.
  LatestTracks& latest() { return latest_; }

  // Sink and upstream say how much time there is.
  TimeBudget& time() { return time_; }

 private:
  std::stop_token stop_token() const;
  void drop_tracker(const std::string& reason);
  // How a picture is looked at.
  struct Look {
    StreamInstant now;
    Effort effort = Effort::full;
    bool repeats = false;  // it is the picture before once more
  };
  bool track(StreamTracker& source, GstBuffer* buffer, const Look& look, FrameContext& context);
  std::size_t sample_of(GstBuffer* buffer) const;
  bool track_and_annotate(GstBaseTransform* element, StreamTracker& source, GstBuffer* buffer,
                          const BaseSettings& settings, const BufferTimes& times, const Look& look);
  enum class Picture { is_new, repeats, fills_a_hole };
  Picture observe_picture(GstBuffer* buffer);
  void link_detections(const std::vector<Detection>& detections, const DetectedFrame& detected);

  mutable std::mutex stop_mutex_;
  std::stop_source stop_;

  GstVideoInfo info_;
  BufferLender lender_;
  Image luma_;  // where a format has no luma plane
  StreamTime stream_time_;
  std::vector<Track> tracks_;     // of the current frame
  TrackHistory history_;          // of them, up to the current frame
  DetectedRegions detected_;      // those of them that upstream has detected
  ObjectIds objects_;             // and has analytics metas for
  bool lacks_analytics_ = false;  // and that was said
  bool reported_idle_ = false;    // that there is nothing to track
  bool first_ = true;             // see FrameContext
  LatestTracks latest_;
  TimeBudget time_;
  // The latest picture that fills no hole: whether there was one, a sample of it if there was
  // something to track, whether it was looked at, and had detections then.
  bool has_picture_ = false;
  std::optional<std::size_t> sample_;
  bool is_looked_at_ = false;
  bool had_detections_ = false;

  // The tracker works on the streaming thread, and its statistics are read from any other.
  mutable std::mutex mutex_;
  std::unique_ptr<Tracker> tracker_;
  TargetSet targets_;
  DetectionTracks detections_;
  TrackerStats latest_stats_;  // of the tracker that was here last
};

}  // namespace cltrack::gst
