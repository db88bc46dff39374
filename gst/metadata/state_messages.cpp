// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/state_messages.h"

#include <optional>
#include <utility>

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
      G_TYPE_BOOLEAN, recovered, "reason", G_TYPE_STRING, track.has_box() ? "" : track.reason, "x",
      G_TYPE_DOUBLE, static_cast<double>(box.x), "y", G_TYPE_DOUBLE, static_cast<double>(box.y),
      "width", G_TYPE_DOUBLE, static_cast<double>(box.width), "height", G_TYPE_DOUBLE,
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

void StateMessages::post(GstElement* element, StateReports reports, std::span<const Track> tracks,
                         const BufferTimes& times) {
  std::map<std::uint64_t, TrackState> now;  // leaves out targets that were removed
  for (const Track& track : tracks) {
    now.emplace(track.id, track.state);
    std::optional<TrackState> previous;
    if (const auto found = states_.find(track.id); found != states_.end()) previous = found->second;
    if (previous != track.state) log_change(element, track);
    const bool is_news = previous != track.state || reports == StateReports::every_frame;
    if (reports == StateReports::none || !is_news) continue;
    gst_element_post_message(element, make_message(element, track, previous, times));
  }
  states_ = std::move(now);
}

}  // namespace cltrack::gst
