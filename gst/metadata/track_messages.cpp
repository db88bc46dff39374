// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/track_messages.h"

#include <array>
#include <optional>
#include <utility>
#include <variant>

#include "scoped.h"

namespace cltrack::gst {
namespace {

// Whether positions in it have a running time. Played backwards, it is counted from the end of the
// segment; without one GStreamer's answer is a critical warning, which may stop the program.
bool has_running_time(const GstSegment& segment) {
  if (segment.rate > 0) return true;
  return GST_CLOCK_TIME_IS_VALID(segment.stop) && segment.stop >= segment.offset;
}

}  // namespace

BufferTimes times_of(GstBuffer* buffer, GstSegment segment) {
  const GstClockTime pts = GST_BUFFER_PTS(buffer);
  BufferTimes times{pts, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_BUFFER_DURATION(buffer)};
  if (GST_CLOCK_TIME_IS_VALID(pts) && segment.format == GST_FORMAT_TIME) {
    times.stream_time = gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, pts);
    if (has_running_time(segment)) {
      times.running_time = gst_segment_to_running_time(&segment, GST_FORMAT_TIME, pts);
    }
  }
  return times;
}

void set_times(GstStructure* structure, const BufferTimes& times) {
  gst_structure_set(structure, "timestamp", G_TYPE_UINT64, times.timestamp, "stream-time",
                    G_TYPE_UINT64, times.stream_time, "running-time", G_TYPE_UINT64,
                    times.running_time, "duration", G_TYPE_UINT64, times.duration, nullptr);
}

}  // namespace cltrack::gst

GST_DEBUG_CATEGORY_EXTERN(gst_cl_tracker_base_debug);
#define GST_CAT_DEFAULT gst_cl_tracker_base_debug

namespace cltrack::gst {
namespace {

GstMessage* make_message(GstElement* element, const Track& track,
                         std::optional<TrackState> previous, const BufferTimes& times) {
  const BoundingBox box = track.has_box() ? track.box : BoundingBox{};
  const double confidence = track.has_box() ? static_cast<double>(track.confidence) : 0.0;
  const bool recovered = previous == TrackState::lost && track.has_box();
  GstStructure* structure = gst_structure_new(
      "cltracker-state", "id", G_TYPE_UINT64, static_cast<guint64>(track.id), "label",
      G_TYPE_STRING, track.label.c_str(), "state", G_TYPE_STRING, to_string(track.state),
      "previous-state", G_TYPE_STRING, previous ? to_string(*previous) : "none", "recovered",
      G_TYPE_BOOLEAN, recovered, "reason", G_TYPE_STRING, track.reason, "x", G_TYPE_DOUBLE,
      static_cast<double>(box.x), "y", G_TYPE_DOUBLE, static_cast<double>(box.y), "width",
      G_TYPE_DOUBLE, static_cast<double>(box.width), "height", G_TYPE_DOUBLE,
      static_cast<double>(box.height), "confidence", G_TYPE_DOUBLE, confidence, nullptr);
  set_times(structure, times);
  return gst_message_new_element(GST_OBJECT(element), structure);
}

void log_change(GstElement* element, const Track& track) {
  if (track.has_box()) {
    GST_DEBUG_OBJECT(element, "target %" G_GUINT64_FORMAT " (%s) is %s: confidence %.2f",
                     static_cast<guint64>(track.id), track.label.c_str(), to_string(track.state),
                     static_cast<double>(track.confidence));
  } else {
    GST_DEBUG_OBJECT(element, "target %" G_GUINT64_FORMAT " (%s) is lost: %s",
                     static_cast<guint64>(track.id), track.label.c_str(), track.reason);
  }
}

}  // namespace

void post_states(GstElement* element, StateReports reports, std::span<const Track> tracks,
                 std::span<const std::optional<TrackState>> before, const BufferTimes& times) {
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const bool has_changed = before[i] != tracks[i].state;
    if (has_changed) log_change(element, tracks[i]);
    const bool is_news = has_changed || reports == StateReports::every_frame;
    if (reports == StateReports::none || !is_news) continue;
    gst_element_post_message(element, make_message(element, tracks[i], before[i], times));
  }
}

namespace {

void set_request(GstStructure* structure, const RequestNumber& request) {
  if (const auto* integer = std::get_if<std::int64_t>(&request)) {
    gst_structure_set(structure, "request", G_TYPE_INT64, static_cast<gint64>(*integer), nullptr);
  } else if (const auto* natural = std::get_if<std::uint64_t>(&request)) {
    gst_structure_set(structure, "request", G_TYPE_UINT64, static_cast<guint64>(*natural), nullptr);
  } else if (const auto* number = std::get_if<double>(&request)) {
    gst_structure_set(structure, "request", G_TYPE_DOUBLE, *number, nullptr);
  }
}

}  // namespace

void post_change(GstElement* element, const TargetChange& change, const BufferTimes& times) {
  GstStructure* structure = gst_structure_new(
      "cltracker-target", "action", G_TYPE_STRING, to_string(change.action), "id", G_TYPE_UINT64,
      static_cast<guint64>(change.id), "label", G_TYPE_STRING, change.label.c_str(), "source",
      G_TYPE_STRING, to_string(change.origin.source), "reason", G_TYPE_STRING,
      change.reason.c_str(), nullptr);
  set_request(structure, change.origin.request);
  set_times(structure, times);
  gst_element_post_message(element, gst_message_new_element(GST_OBJECT(element), structure));
}

void QosMessages::post(GstElement* element, const BufferTimes& times, GstClockTimeDiff late,
                       FrameEffort effort, const EffortCounts& counts, bool is_live) {
  const GstClockTime time = times.running_time;
  if (GST_CLOCK_TIME_IS_VALID(time) && GST_CLOCK_TIME_IS_VALID(latest_) && time >= latest_ &&
      time - latest_ < kBetween) {
    return;
  }
  latest_ = time;
  constexpr std::array<gint, kFrameEfforts> kQualities = {1000000, 700000, 400000, 0};
  GstMessage* message = gst_message_new_qos(GST_OBJECT(element), is_live, time, times.stream_time,
                                            times.timestamp, times.duration);
  gst_message_set_qos_values(message, late, 1.0, kQualities[static_cast<std::size_t>(effort)]);
  gst_message_set_qos_stats(message, GST_FORMAT_BUFFERS, counts.processed(), counts.skipped());
  gst_element_post_message(element, message);
}

namespace {

constexpr const char* kRemoved = "cltrack-removed";

}  // namespace

GstEvent* make_removed_event(const std::string& tracker, std::uint64_t id,
                             const std::string& label) {
  return gst_event_new_custom(
      GST_EVENT_CUSTOM_DOWNSTREAM,
      gst_structure_new(kRemoved, "tracker", G_TYPE_STRING, tracker.c_str(), "id", G_TYPE_UINT64,
                        static_cast<guint64>(id), "label", G_TYPE_STRING, label_or_default(label),
                        nullptr));
}

std::optional<RemovedTrack> parse_removed_event(GstEvent* event) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_CUSTOM_DOWNSTREAM ||
      !gst_event_has_name(event, kRemoved)) {
    return std::nullopt;
  }
  const GstStructure* structure = gst_event_get_structure(event);
  guint64 id = 0;
  const char* tracker = gst_structure_get_string(structure, "tracker");
  const char* label = gst_structure_get_string(structure, "label");
  if (tracker == nullptr || label == nullptr || !gst_structure_get_uint64(structure, "id", &id)) {
    return std::nullopt;
  }
  return RemovedTrack{{tracker, region_id(id)}, {"", region_id(id), label}};
}

namespace {

constexpr const char* kSkipped = "cltrack-skipped";

}  // namespace

GstEvent* make_skipped_event(const std::string& tracker) {
  return gst_event_new_custom(
      GST_EVENT_CUSTOM_DOWNSTREAM,
      gst_structure_new(kSkipped, "tracker", G_TYPE_STRING, tracker.c_str(), nullptr));
}

std::optional<std::string> parse_skipped_event(GstEvent* event) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_CUSTOM_DOWNSTREAM ||
      !gst_event_has_name(event, kSkipped)) {
    return std::nullopt;
  }
  const char* tracker = gst_structure_get_string(gst_event_get_structure(event), "tracker");
  if (tracker == nullptr) return std::nullopt;
  return tracker;
}

namespace {

constexpr const char* kHidden = "cltrack-hidden";

}  // namespace

bool is_hidden_downstream(GstPad* source) {
  const Scoped<GstQuery, gst_query_unref> query(
      gst_query_new_custom(GST_QUERY_CUSTOM, gst_structure_new_empty(kHidden)));
  gboolean hidden = FALSE;
  return gst_pad_peer_query(source, query.get()) != FALSE &&
         gst_structure_get_boolean(gst_query_get_structure(query.get()), "hidden", &hidden) &&
         hidden;
}

bool answer_hidden_query(GstQuery* query) {
  if (GST_QUERY_TYPE(query) != GST_QUERY_CUSTOM) return false;
  GstStructure* structure = gst_query_writable_structure(query);
  if (structure == nullptr || !gst_structure_has_name(structure, kHidden)) return false;
  gst_structure_set(structure, "hidden", G_TYPE_BOOLEAN, TRUE, nullptr);
  return true;
}

}  // namespace cltrack::gst
