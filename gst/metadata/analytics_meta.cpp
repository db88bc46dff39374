// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/analytics_meta.h"

#include "config.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scoped.h"

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>

#include "metadata/track_meta.h"
#endif

namespace cltrack::gst {

bool has_analytics() { return HAVE_ANALYTICS; }

namespace {

constexpr float kSlack = 2;  // pixels between both: elements that scale them round
constexpr float kSameObject =
    0.5f;  // overlap of both, at least, if their ids say that they are one

bool is_same_box(const BoundingBox& a, const BoundingBox& b) {
  return std::abs(a.x - b.x) <= kSlack && std::abs(a.y - b.y) <= kSlack &&
         std::abs(a.right() - b.right()) <= kSlack && std::abs(a.bottom() - b.bottom()) <= kSlack;
}

}  // namespace

UnclaimedObjects::UnclaimedObjects(GstBuffer* buffer) {
  for (AnalyticsObject& object : read_objects(buffer)) {
    const Scoped<char, g_free> valid(g_utf8_make_valid(object.label.c_str(), -1));
    object.label = valid.get();
    objects_.push_back(std::move(object));
  }
}

std::optional<AnalyticsObject> UnclaimedObjects::take(int id, const std::string& label,
                                                      const BoundingBox& box) {
  auto found = std::ranges::find_if(objects_, [&](const AnalyticsObject& object) {
    return object.label == label && is_same_box(object.box, box);
  });
  if (found == objects_.end()) {
    found = std::ranges::find_if(objects_, [&](const AnalyticsObject& object) {
      return id >= 0 && object.id == static_cast<unsigned>(id) &&
             overlap(object.box, box) >= kSameObject;
    });
  }
  if (found == objects_.end()) return std::nullopt;
  AnalyticsObject object = std::move(*found);
  objects_.erase(found);
  return object;
}

#if HAVE_ANALYTICS
namespace {

// The size of one ODMtd or TrackingMtd, about: the meta grows if need be, but slowly.
constexpr gsize kBytes = 128;

// The one of the buffer, or a new one with room for all.
GstAnalyticsRelationMeta* relations_of(GstBuffer* buffer, std::size_t tracks) {
  GstAnalyticsRelationMetaInitParams room{};
  room.initial_relation_order = 2 * std::max<std::size_t>(tracks, 1);
  room.initial_buf_size = room.initial_relation_order * kBytes;
  return gst_buffer_add_analytics_relation_meta_full(buffer, &room);
}

std::optional<unsigned> write_object(GstAnalyticsRelationMeta* relations, const Track& track,
                                     int frame_width, int frame_height) {
  const auto inside = visible_box(track, frame_width, frame_height);
  if (!inside) return std::nullopt;
  const auto [x, y, width, height] = to_pixels(*inside, frame_width, frame_height);
  const GQuark type = g_quark_from_string(label_or_default(track.label));
  GstAnalyticsODMtd object;
  if (!gst_analytics_relation_meta_add_od_mtd(relations, type, x, y, width, height,
                                              track.confidence, &object)) {
    return std::nullopt;
  }
  return object.id;
}

std::optional<unsigned> write_tracking(GstAnalyticsRelationMeta* relations, const Track& track,
                                       const SeenTimes& seen) {
  GstAnalyticsTrackingMtd tracking;
  if (!gst_analytics_relation_meta_add_tracking_mtd(relations, track.id, seen.first, &tracking)) {
    return std::nullopt;
  }
  gst_analytics_tracking_mtd_update_last_seen(&tracking, seen.last);
  if (!track.has_box()) gst_analytics_tracking_mtd_set_lost(&tracking);
  return tracking.id;
}

// Elements differ in which way they relate one to the other.
bool is_related(GstAnalyticsRelationMeta* relations, unsigned a, unsigned b) {
  return gst_analytics_relation_meta_get_relation(relations, a, b) != GST_ANALYTICS_REL_TYPE_NONE ||
         gst_analytics_relation_meta_get_relation(relations, b, a) != GST_ANALYTICS_REL_TYPE_NONE;
}

// The first one that is related to the object.
void read_tracking(GstAnalyticsRelationMeta* relations, AnalyticsObject& object) {
  gpointer position = nullptr;
  GstAnalyticsMtd tracking;
  while (gst_analytics_relation_meta_iterate(
      relations, &position, gst_analytics_tracking_mtd_get_mtd_type(), &tracking)) {
    if (!is_related(relations, object.id, tracking.id)) continue;
    guint64 id = 0;
    GstClockTime first = 0, last = 0;
    gboolean lost = FALSE;
    gst_analytics_tracking_mtd_get_info(&tracking, &id, &first, &last, &lost);
    object.track = id;
    object.is_lost = lost != FALSE;
    return;
  }
}

std::string text_of(GQuark quark) {
  const char* text = g_quark_to_string(quark);
  return text != nullptr ? text : "";
}

// The likeliest class of its classification, if it has one.
std::string class_of(GstAnalyticsRelationMeta* relations, unsigned object) {
  GstAnalyticsMtd classes;
  if (!gst_analytics_relation_meta_get_direct_related(relations, object, GST_ANALYTICS_REL_TYPE_ANY,
                                                      gst_analytics_cls_mtd_get_mtd_type(), nullptr,
                                                      &classes)) {
    return {};
  }
  GQuark best = 0;
  float level = 0;
  const gsize count = gst_analytics_cls_mtd_get_length(&classes);
  for (gsize i = 0; i < count; ++i) {
    const float likely = gst_analytics_cls_mtd_get_level(&classes, i);
    if (best != 0 && !(likely > level)) continue;
    best = gst_analytics_cls_mtd_get_quark(&classes, i);
    level = likely;
  }
  return text_of(best);
}

}  // namespace

ObjectIds write_analytics(GstBuffer* buffer, std::span<const Track> tracks,
                          const TrackHistory& history, int frame_width, int frame_height,
                          const ObjectIds& detected) {
  ObjectIds objects;
  GstAnalyticsRelationMeta* relations = relations_of(buffer, tracks.size());
  for (const Track& track : tracks) {
    std::optional<unsigned> object;
    if (const auto found = detected.find(track.id); found == detected.end()) {
      object = write_object(relations, track, frame_width, frame_height);
    } else if (track.has_box()) {
      object = found->second;
    }
    const auto tracking = write_tracking(relations, track, history.seen(track.id));
    if (!object || !tracking) continue;
    gst_analytics_relation_meta_set_relation(relations, GST_ANALYTICS_REL_TYPE_RELATE_TO, *object,
                                             *tracking);
    objects.emplace(track.id, *object);
  }
  return objects;
}

std::vector<AnalyticsObject> read_objects(GstBuffer* buffer) {
  std::vector<AnalyticsObject> objects;
  GstAnalyticsRelationMeta* relations = gst_buffer_get_analytics_relation_meta(buffer);
  if (relations == nullptr) return objects;
  gpointer position = nullptr;
  GstAnalyticsMtd object;
  while (gst_analytics_relation_meta_iterate(relations, &position,
                                             gst_analytics_od_mtd_get_mtd_type(), &object)) {
    gint x = 0, y = 0, width = 0, height = 0;
    float confidence = 0;
    if (!gst_analytics_od_mtd_get_location(&object, &x, &y, &width, &height, &confidence)) continue;
    std::string label = text_of(gst_analytics_od_mtd_get_obj_type(&object));
    if (label.empty() || label == "unknown") {
      if (std::string likeliest = class_of(relations, object.id); !likeliest.empty()) {
        label = std::move(likeliest);
      }
    }
    objects.push_back({.id = object.id,
                       .label = std::move(label),
                       .box = {static_cast<float>(x), static_cast<float>(y),
                               static_cast<float>(width), static_cast<float>(height)},
                       .confidence = confidence});
    read_tracking(relations, objects.back());
  }
  return objects;
}

#else

ObjectIds write_analytics(GstBuffer*, std::span<const Track>, const TrackHistory&, int, int,
                          const ObjectIds&) {
  return {};
}

std::vector<AnalyticsObject> read_objects(GstBuffer*) { return {}; }

#endif

}  // namespace cltrack::gst
